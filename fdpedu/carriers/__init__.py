"""Carriers: engines that hospitals run already, between the aggregator's sockets and those of the sites.

NVIDIA FLARE is one: :func:`write_at_site` and :func:`write_at_server` write what each owner allows it, and
:class:`Carrying` submits the job that carries, as ``fdpedu carry flare`` does. The job's two ends are
``fdpedu.carriers.flare.SiteEnd`` and ``AggregatorEnd``. Nothing here imports FLARE until it is used.
"""

from fdpedu.carriers.job import Carrying
from fdpedu.carriers.local import write_at_server, write_at_site
from fdpedu.carriers.presence import CarryingRefused

__all__ = ["Carrying", "CarryingRefused", "write_at_server", "write_at_site"]
