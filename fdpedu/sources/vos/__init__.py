"""Vos, Vos, Li, Erkin, Verwer: *Differentially-Private Decision Trees and Provable Robustness to Data Poisoning*.

NOT FOR USE: PrivaTree as printed looks at raw rows, and costs more than the ε that it is told. What is for use is
:func:`fdpedu.trees.fit_privatree`.

===================  ================================  ============================================
§                    name                              claim
===================  ================================  ============================================
Alg. 1               `fit_privatree_as_printed`        thm-printed-price, lem-line-7, lem-tree-alone
§IV-B                                                  lem-quantiles-in-parallel
Alg. 1, Thm 3        `printed_price`                   thm-printed-price, lem-size-not-public
                     `PrintedPrice`                    thm-printed-price
                     `real_epsilon`                    thm-printed-price
§IV-D, eq. (7)–(10)  `printed_shares`                  lem-raw-size-rule, lem-leaf-half-spare
===================  ================================  ============================================
"""

from fdpedu.sources.vos.price import PrintedPrice, printed_price, printed_shares, real_epsilon
from fdpedu.sources.vos.printed import fit_privatree_as_printed

__all__ = ["PrintedPrice", "fit_privatree_as_printed", "printed_price", "printed_shares", "real_epsilon"]
