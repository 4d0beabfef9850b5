"""Federations whose parties' refusals are noted."""

from fdpedu.federation.messages import Refusal, name_of, read
from tests.support.federations import Watched


class Noting(Watched):
    """It also notes which rounds a party's own ledger refused, and what that ledger held; then the party is silent."""

    def __init__(self, log):
        super().__init__(log)
        self.refused = {}

    def gather(self, number, names, request, endpoints):
        def noted(respond):
            def answer(request):
                reply = respond(request)
                if name_of(reply) == "refusal":
                    own = respond.__self__.ledger
                    self.refused[number] = read(reply, Refusal).name, own.rounds, own.spent
                    raise ConnectionError
                return reply

            return answer

        return super().gather(number, names, request, [noted(respond) for respond in endpoints])
