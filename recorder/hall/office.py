"""The tournament's office: pairings to boards, errands to devices, results and records out."""

from __future__ import annotations

import io
import json
import secrets
import threading
import time
import zipfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import asdict, replace
from datetime import UTC, datetime

from recorder.codec import format_observation
from recorder.events import GameInfo, Phase
from recorder.game import fold
from recorder.hall.boards import Boards, HallBoard, groups, records_of
from recorder.hall.results import GameResult, result_of
from recorder.hall.storage import OpenRequest, Storage
from recorder.hall.wire import parse_answer
from recorder.mailbox import ClosedError
from recorder.observations import ChangeInfo, Content, Observation
from recorder.pairing import Pairing, Person
from recorder.public import Delay, PublicGame, project, take_batch
from recorder.sgf import format_sgf
from recorder.web.live import age_s
from recorder.web.messages import Fields

PAIRINGS, ROUND = "pairings", "round"
ASK_AGAIN_S = 0.05
PICTURE_S = 8.0
ZIP_S = 30.0
OVER = (Phase.ENDED, Phase.SEALED)


class Errand(Future[int]):
    """The number under which a device will have logged what the hall asked of it."""

    def __init__(self, storage: Storage, request_id: str) -> None:
        super().__init__()
        self._storage = storage
        self._id = request_id

    def result(self, timeout: float | None = None) -> int:
        """Wait for the device's answer; raise `ClosedError` with its reason if it took nothing."""
        answer = wait_for(lambda: self._storage.answer_of(self._id), timeout or 0.0)
        if answer is None:
            raise TimeoutError
        parsed = parse_answer(answer.encode())
        if parsed.error:
            raise ClosedError(parsed.error)
        return parsed.number


class Office:
    """What people of the tournament do at the hub. Thread-safe."""

    def __init__(
        self,
        storage: Storage,
        boards: Boards,
        *,
        event: str,
        delay: Delay,
        sections: Mapping[str, Sequence[str]],
    ) -> None:
        self.event = event
        self.sections = sections
        self._storage = storage
        self._boards = boards
        self._delay = delay
        self._lock = threading.Lock()
        self._zips: dict[str, tuple[float, bytes]] = {}
        self._results: dict[str, tuple[int, GameResult]] = {}

    # Errands

    def submit(self, board: str) -> Callable[[Content], Future[int]]:
        """Return what puts observations into a board's game."""

        def put(content: Content) -> Future[int]:
            found = self._boards.find(board)
            if found is None or not found.is_online(datetime.now(UTC)):
                raise ClosedError("the board is offline")
            return Errand(self._storage, self._ask(board, content, secrets.token_hex(8)))

        return put

    def _ask(self, board: str, content: Content, request_id: str) -> str:
        body = format_observation(Observation(0.0, content))
        asked = datetime.now(UTC).isoformat()
        self._storage.ask(OpenRequest(request_id, board, "observation", body, asked))
        return request_id

    def picture(self, board: str, name: str) -> bytes | None:
        """Return a picture of an incident, fetched from the device if it is not here yet."""
        found = self._storage.picture(board, name)
        if found is not None:
            return found
        request_id = f"picture:{board}:{name}:{int(time.time() / PICTURE_S)}"
        asked = datetime.now(UTC).isoformat()
        self._storage.ask(OpenRequest(request_id, board, "picture", name, asked))
        wait_for(lambda: self._storage.answer_of(request_id), PICTURE_S)
        return self._storage.picture(board, name)

    # Pairings

    @property
    def round(self) -> str:
        """The round that is played now."""
        return self._storage.setting(ROUND) or ""

    def pairings(self) -> tuple[Pairing, ...]:
        """Return every pairing of the event."""
        text = self._storage.setting(PAIRINGS)
        return tuple(_pairing(fields) for fields in json.loads(text)) if text else ()

    def pair(self, pairings: Sequence[Pairing]) -> None:
        """Take pairings: those of their rounds are replaced, and their first round is played."""
        rounds = {one.round for one in pairings}
        kept = [one for one in self.pairings() if one.round not in rounds]
        text = json.dumps([asdict(one) for one in (*kept, *pairings)], ensure_ascii=False)
        self._storage.set_setting(PAIRINGS, text)
        self.set_round(pairings[-1].round)

    def set_round(self, round_: str) -> None:
        """Say which round is played now."""
        self._storage.set_setting(ROUND, round_)

    def pairing_of(self, board: str) -> Pairing | None:
        """Return who sits at a board in this round."""
        table, now = table_of(board), self.round
        found = (one for one in self.pairings() if one.table == table and one.round == now)
        return next(found, None)

    def seated(self, board: str) -> Fields:
        """Return who sits at a board, as the wall shows it before the device knows."""
        pairing = self.pairing_of(board)
        if pairing is None:
            return {}
        return {
            "round": pairing.round,
            "black": _seat(pairing.black),
            "white": _seat(pairing.white),
        }

    def seat_players(self) -> int:
        """Send each device the names of those who play there; return to how many."""
        sent = 0
        for board in self._boards.all():
            pairing, state = self.pairing_of(board.name), board.private.state()
            if pairing is None or not state.game_id or not board.is_online(datetime.now(UTC)):
                continue
            info = paired(state.game.info, pairing, has_moves=bool(state.game.moves))
            if state.game.phase in OVER or info == state.game.info:
                continue
            # Once a game and pairing: what the operator then changes at the board stays.
            self._ask(board.name, ChangeInfo(info), _seating(board, pairing))
            sent += 1
        return sent

    # Results

    def results(self) -> tuple[GameResult, ...]:
        """Return what every game came to, in the order in which they began."""
        found: dict[str, GameResult] = {}
        for board, name, game_id, number in self._storage.games():
            # A device that moved to another table brings its games along: the first counts.
            if game_id not in found:
                found[game_id] = self._result(board, name, game_id, number)
        return tuple(found.values())

    def _result(self, board: str, log: str, game_id: str, number: int) -> GameResult:
        """Return what a game has come to by the row with a number, its last."""
        shown = self._boards.find(board)
        state = None if shown is None or shown.log != log else shown.private.state()
        if state is not None and state.game_id == game_id:
            # It is played now: folded already, and another one with every move.
            return result_of(board, game_id, state.game)
        kept = self._results.get(game_id)
        if kept is None or kept[0] != number:
            records = records_of(self._storage.rows_of_game(game_id))
            kept = (number, result_of(board, game_id, fold(r.event for r in records)))
            self._results[game_id] = kept
        return kept[1]

    def records_of_round(self, round_: str) -> bytes:
        """Return a zip of the public records of a round's games, made anew twice a minute."""
        with self._lock:
            made_s, data = self._zips.get(round_, (-ZIP_S, b""))
            if time.monotonic() - made_s >= ZIP_S:
                data = self._zip(round_)
                if data:
                    self._zips[round_] = (time.monotonic(), data)
            return data

    def _zip(self, round_: str) -> bytes:
        games = [result for result in self.results() if result.round == round_]
        if not games:
            return b""
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for result in games:
                archive.writestr(_file_name(result), self.public_record(result.game_id))
        return out.getvalue()

    def public_record(self, game_id: str) -> str:
        """Return a game's SGF as far as it is public."""
        now, game = datetime.now(UTC), PublicGame(game_id, 0.0)
        for part in groups(self._storage.rows_of_game(game_id)):
            records, known_s = records_of(part), -age_s(part[0].received, now)
            if records:
                game = take_batch(game, records, known_s=known_s, delay=self._delay)
        return format_sgf(project(game, now_s=0.0, delay=self._delay).game)


def paired(info: GameInfo, pairing: Pairing, *, has_moves: bool) -> GameInfo:
    """Return a game's information with the names of a pairing, and its terms before move 1."""
    named = replace(
        info,
        black=pairing.black.name,
        white=pairing.white.name,
        black_rank=pairing.black.rank,
        white_rank=pairing.white.rank,
        black_team=pairing.black.club,
        white_team=pairing.white.club,
        round=pairing.round,
        event=pairing.event or info.event,
    )
    if has_moves:
        return named
    komi = named.komi if pairing.komi is None else pairing.komi
    return replace(named, handicap=pairing.handicap, komi=komi)


def table_of(board: str) -> int | None:
    """Return the table that a board stands on: the digits its name ends with."""
    digits = board[len(board.rstrip("0123456789")) :]
    return int(digits) if digits else None


def wait_for(find: Callable[[], str | None], timeout_s: float) -> str | None:
    """Return what a function finds, asked again and again until it finds something."""
    end_s = time.monotonic() + timeout_s
    while (found := find()) is None and time.monotonic() < end_s:
        time.sleep(ASK_AGAIN_S)
    return found


def _pairing(fields: Fields) -> Pairing:
    people = {color: Person(**fields[color]) for color in ("black", "white")}
    return Pairing(**{**fields, **people})


def _seat(person: Person) -> Fields:
    return {"name": person.name, "rank": person.rank, "team": person.club}


def _seating(board: HallBoard, pairing: Pairing) -> str:
    names = f"{pairing.round}:{pairing.black.name}:{pairing.white.name}"
    return f"pairing:{board.name}:{board.game_id}:{names}"


def _file_name(result: GameResult) -> str:
    name = f"{result.board} {result.black} - {result.white} {result.game_id}.sgf"
    return "".join(c if c.isprintable() and c not in '/\\:*?"<>|' else "_" for c in name)
