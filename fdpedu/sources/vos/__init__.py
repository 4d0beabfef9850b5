"""Vos, Vos, Li, Erkin, Verwer: *Differentially-Private Decision Trees and Provable Robustness to Data Poisoning*.

NOT FOR USE: PrivaTree as printed looks at raw rows, and costs more than the ε that it is told. What is for use is
:func:`fdpedu.trees.fit_privatree`.

===================  ===================================  ============================================
§                    name                                 claim
===================  ===================================  ============================================
Eq. (4)              `equation_4_as_printed`              vos-equation-4-as-printed
Alg. 1               `fit_privatree_as_printed`           thm-printed-price, lem-line-7, lem-tree-alone
§IV-B                                                     lem-quantiles-in-parallel
Alg. 1, Thm 3        `printed_price`                      thm-printed-price, lem-size-not-public
                     `PrintedPrice`                       thm-printed-price
                     `epsilon_at_most`                       thm-printed-price
§IV-D, eq. (7)–(10)  `printed_shares`                     lem-raw-size-rule, lem-leaf-half-spare
Thm 4, Cor. 2        `poisoning_bound_as_printed`         vos-theorem-4-as-printed
Cor. 3               `attack_success_bound_as_printed`    vos-theorem-4-as-printed
Tables III and VIII  `printed_guarantees`                 lem-printed-guarantees
                     `PrintedGuarantee`                   lem-printed-guarantees
===================  ===================================  ============================================
"""

from fdpedu.sources.vos.guarantees import (
    PrintedGuarantee,
    attack_success_bound_as_printed,
    poisoning_bound_as_printed,
    printed_guarantees,
)
from fdpedu.sources.vos.price import PrintedPrice, epsilon_at_most, printed_price, printed_shares
from fdpedu.sources.vos.printed import equation_4_as_printed, fit_privatree_as_printed

__all__ = [
    "PrintedGuarantee",
    "PrintedPrice",
    "attack_success_bound_as_printed",
    "epsilon_at_most",
    "equation_4_as_printed",
    "fit_privatree_as_printed",
    "poisoning_bound_as_printed",
    "printed_guarantees",
    "printed_price",
    "printed_shares",
]
