"""What all types of queries have in common: a region, a cost, and how a type's own fields are written.

A query is asked of a region of the record domain, at a cost of ε or of ρ. Its exact answer at a party is an array of
integers; the layer of noise of its type makes of it what the party sends. Adding or removing one record moves each of
``n_releases`` parts of the exact answer by at most ``sensitivity`` in the ℓ₁ norm, and moves nothing if the record is
outside the region. In ε the answer is so many releases of that sensitivity. In ρ it is one vector, which a record moves
by at most n_releases·sensitivity² in the square of the ℓ₂ norm, in ``cells`` of its numbers at most.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, ClassVar

from fdpedu.accounting import Charge, as_cost
from fdpedu.accounting.cost import NAMES, Priced
from fdpedu.dlpa.gaussian_noise import GaussianNoise, gaussian_noise
from fdpedu.domain import Domain, Region
from fdpedu.exact import Integers, Rate
from fdpedu.federation.queries.noise import GAUSSIAN_SHARES, POLYA_SHARES, Layer
from fdpedu.federation.records import Records, RowNumbers
from fdpedu.secure_sum import hashed
from fdpedu.secure_sum.binding import Canonical

MAX_PART = 10**40  # of a cost, as a fraction
_charged = lru_cache(maxsize=2**12, typed=True)(Charge)  # the same for all parties in a process


@dataclass(frozen=True)
class Query:
    """A region, a cost, and noise on every number of the answer.

    Claims: thm-queries-in-rho

    A type adds its own fields, each an integer, a text, or a value whose method ``to_wire`` gives a canonical one, and
    the class attributes below.

    Attributes
    ----------
    type : the name by which programs know it, in requests, derivations, manifests and files
    claim : the label of the claim that says why it costs what it costs
    layer : what a party draws, Pólya shares of noise unless the type says otherwise
    """

    region: Region
    cost: Priced
    type: ClassVar[str]
    claim: ClassVar[str] = "thm-histogram"
    layer: ClassVar[Layer] = POLYA_SHARES

    def __post_init__(self) -> None:
        if type(self.region) is not Region:
            raise ValueError(f"region must be a Region, got {type(self.region).__name__}")
        object.__setattr__(self, "cost", as_cost(self.cost, "epsilon"))

    @property
    def n_releases(self) -> int:
        """How many parts the answer has, each of which one record may move by ``sensitivity``."""
        return 1

    @property
    def sensitivity(self) -> int:
        """The ℓ₁ sensitivity of one part of the exact answer."""
        return 1

    @property
    def l2_squared(self) -> int:
        """The square of the ℓ₂ sensitivity of the whole exact answer."""
        # thm-queries-in-rho: each part moves by at most its ℓ₁ sensitivity in the ℓ₂ norm, and their squares add up
        return self.n_releases * self.sensitivity**2

    @property
    def cells(self) -> int:
        """In how many of its numbers the exact answers of neighbours can differ: here, one of each part."""
        return self.n_releases

    @property
    def epsilon(self) -> Fraction:
        """ε of a query that costs ε; one that costs ρ has none."""
        return self.cost.epsilon

    @property
    def drawn_by(self) -> object:
        """What noise is drawn by; neighbouring queries of which it is equal are drawn together."""
        return self.rate if self.cost.is_pure else (self.cost, self.l2_squared, self.cells)

    def gaussian(self, n_noise_shares: int) -> GaussianNoise:
        """The shares of noise of a query that costs ρ, of which so many make up the full noise."""
        return gaussian_noise(self.cost, l2_squared=self.l2_squared, cells=self.cells, n_shares=n_noise_shares)

    @property
    def rate(self) -> Rate:
        """The rate of the noise of a query that costs ε: ε/(n_releases·sensitivity)."""
        return Rate(rate=self.epsilon / (self.n_releases * self.sensitivity))

    def shape(self, domain: Domain) -> tuple[int, ...]:
        """The shape of the answer."""
        raise TypeError("ask one of the closed set of queries")

    def tally(self, records: Records, rows: RowNumbers, domain: Domain) -> Integers:
        """The exact local numbers of the given rows, flat: pure, and never sent anywhere by itself."""
        raise TypeError("ask one of the closed set of queries")

    def describe(self, domain: Domain) -> str:
        """What is asked, for people: programs compare ``type`` and ``parameters``."""
        raise TypeError("ask one of the closed set of queries")

    def exact_size(self, domain: Domain) -> int:
        """How many exact numbers the layer makes the answer of."""
        return self.size(domain)

    def asked_of(self, index: int) -> Query:
        """What the party at this position has to answer: the question itself, unless the type asks one party only."""
        return self

    def charged_region(self, session: str) -> Region:
        """The records that pay for it, in a ledger that knows all parties of the session of this name."""
        return self.region

    def size(self, domain: Domain) -> int:
        """How many numbers the answer has."""
        return math.prod(self.shape(domain))

    @classmethod
    def own_fields(cls) -> tuple[str, ...]:
        """The names of the fields that the type adds to a region and a cost."""
        return tuple(field.name for field in fields(cls) if field.name not in ("region", "cost"))

    def own_values(self) -> tuple[Canonical, ...]:
        """Their values, as they stand in a request."""
        return tuple(_wire(getattr(self, name)) for name in self.own_fields())

    @property
    def parameters(self) -> Mapping[str, int | str]:
        """What tells this query from others of its type, region and cost: numbers and texts; of a model its SHA-256."""
        return dict(self._parameters)

    @cached_property
    def _parameters(self) -> tuple[tuple[str, int | str], ...]:
        """Each once for a query, as a model is long and all parties of a process are asked the same."""
        values = zip(self.own_fields(), self.own_values(), strict=True)
        return tuple((name, _scalar(value)) for name, value in values)

    def charge(
        self, domain: Domain, colluders: int, randomness: str, *, n_noise_shares: int = 1, session: str | None = None
    ) -> Charge:
        """The charge for a ledger of all parties of a session; without one for a party's own, of its records only.

        In ρ it states the variance of the full noise, which ``n_noise_shares`` make up, and what ξ they take.
        """
        cost, layer = self.cost, self.layer_of_noise
        noise: tuple[Any, ...] = (None, None, None)
        if not cost.is_pure:
            shares = self.gaussian(n_noise_shares)
            cost, noise = replace(cost, xi=shares.xi), (self.l2_squared, self.cells, shares.variance)
        return _charged(
            self.region if session is None else self.charged_region(session),
            cost,
            self.describe(domain),
            layer.mechanism,
            self.sensitivity,
            self.claim,
            colluders,
            randomness,
            self.n_releases,
            self.type,
            self._parameters,
            *noise,
        )

    @property
    def layer_of_noise(self) -> Layer:
        """The layer of the query's type, or where Pólya shares pay ε, the Gaussian ones that pay ρ."""
        return self.layer if self.cost.is_pure or self.layer is not POLYA_SHARES else GAUSSIAN_SHARES

    def to_json(self, domain: Domain, session: str | None = None, n_noise_shares: int = 1) -> dict[str, Any]:
        """The entry of a manifest for this query in a session, None for a party's own; in ρ of so many shares."""
        charge = self.charge(domain, 0, "any", n_noise_shares=n_noise_shares, session=session)
        xi = {} if charge.cost.is_pure else {"xi": str(charge.cost.xi)}
        return {
            "type": self.type,
            "parameters": dict(self.parameters),
            "query": self.describe(domain),
            "region": charge.region.to_json(domain.everything),
            **charge.stated_noise(),
            **xi,
        }

    def check(self, domain: Domain) -> None:
        """Refuse a query that the domain does not know, or that no party could answer."""
        if len(self.region.features) != domain.n_features or not domain.everything.contains(self.region):
            raise ValueError("the query's region does not belong to the federation's domain")
        if not self.region.of_all_parties:
            raise ValueError("the query's region must be of all parties: rows do not say where they lie, ledgers do")
        if max(self.cost.value.numerator, self.cost.value.denominator) >= MAX_PART:
            name = NAMES[self.cost.measure]
            raise ValueError(
                f"{name} of each release must be a fraction of numbers of at most 40 digits, as ledgers add costs "
                "exactly: take a budget, and shares of it, of fewer digits"
            )
        if self.cost.xi:
            raise ValueError("the cost of a query has no ξ of its own: it follows from the noise in shares")
        self.layer_of_noise.require_drawable(self)


def _wire(value: Any) -> Canonical:
    return value if type(value) in (int, str) else value.to_wire()


def _scalar(value: Canonical) -> int | str:
    if isinstance(value, (int, str)):
        return value
    return hashed(value).hex()
