"""``python -m fdpedu`` is the command line."""

import sys

from fdpedu.cli import main

sys.exit(main())
