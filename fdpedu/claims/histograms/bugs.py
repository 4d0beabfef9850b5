"""The zoo, chapter 7: plausible bugs in what a party counts, and in what a round costs."""

from __future__ import annotations

from fdpedu.claims.mutation import Broken

_ASK = "sums = self._session.ask(number, account, form, int(ends[-1]), respond)"
CHARGE_FIRST = f"""number = self.ledger.charge(charges, account)  # whatever fails from here on has been paid for
        self.rounds += 1
        {_ASK}"""
ASK_FIRST = f"""number = self.ledger.rounds + 1
        {_ASK}
        self.ledger.charge(charges, account)"""

TWINS = (
    Broken(
        "half the scale",
        "fdpedu.federation.queries.Query.rate",
        "self.epsilon / (self.n_releases * self.sensitivity)",
        "2 * self.epsilon / (self.n_releases * self.sensitivity)",
        "A factor of 2 in the scale of the noise is harmless.",
        "thm-histogram",
        "inequality",
    ),
    Broken(
        "substitution at the price of add/remove",
        "fdpedu.accounting.ledger.Ledger.__init__",
        'if relation != "add-remove":',
        'if relation not in ("add-remove", "substitution"):',
        "Changing a record is one change, so it costs one ε.",
        "thm-histogram",
        "relations",
    ),
    Broken(
        "refused but charged",
        "fdpedu.accounting.ledger.Ledger.charge",
        "cost = booking.cost_of(trial)",
        "self._region_trees, cost = trial, booking.cost_of(trial)",
        "The caller will notice the exception, so what the ledger holds afterwards does not matter.",
        "thm-round",
        "refused",
    ),
    Broken(
        "undivided feature budget",
        "fdpedu.federation.queries.Query.rate",
        "self.epsilon / (self.n_releases * self.sensitivity)",
        "self.epsilon / self.sensitivity",
        "A node costs ε_node, and so does each of its histograms.",
        "thm-node-histograms",
        "inequality",
    ),
    Broken(
        "the product first",
        "fdpedu.federation.queries.Query.charge",
        "self.n_releases,",
        "1,",
        "Whether p releases of ε/p are entered or one release of ε is the same to any account.",
        "thm-node-histograms",
        "entered",
    ),
    Broken(
        "minlength missing",
        "fdpedu.federation.queries.ClassCounts.tally",
        ", minlength=domain.n_classes",
        "",
        "Cells that nobody is in need not be counted.",
        "thm-histogram",
        "inequality",
    ),
    Broken(
        "ranges from the data",
        "fdpedu.domain.features.Numeric.encode",
        "np.asarray(self.edges[1:-1])",
        "np.linspace(*((min(column), max(column)) if len(column) else (0, 1)), self.n_codes + 1)[1:-1]",
        "Minimum and maximum are only two numbers.",
        "thm-histogram",
        "inequality",
    ),
    Broken(
        "columns by position",
        "fdpedu.domain.tables.Named.select",
        '{name!r}") for name in names]',
        '{name!r}") for name in self.names[: len(names)]]',
        "Whoever makes the table puts its columns into the order of the domain.",
        "thm-histogram",
        "columns by name",
    ),
    Broken(
        "masks of a refused round kept",
        "fdpedu.federation.federation.Federation.release",
        CHARGE_FIRST,
        ASK_FIRST,
        "What is masked may be sent before it is paid for; if it is refused, its masks can serve the next round.",
        "thm-round",
        "fresh masks",
    ),
)
