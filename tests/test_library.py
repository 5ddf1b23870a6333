"""The finished games: which the public may see, at addresses that stay, without their secrets."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from public_records import SECRET

from recorder.events import Event, GameInfo, Phase, PhaseChanged, Record
from recorder.gamelog import GameLog
from recorder.goban import Color
from recorder.library import Library
from recorder.observations import Content, EndGame, Observation, Resign, SettledView, StartGame
from recorder.public import Delay
from recorder.session import new_state, step
from recorder.sgf import read_sgf
from recorder.web.app import create_app
from recorder.web.live import LiveGame

NOW = datetime.now(UTC)
INFO = GameInfo(black="林海", white="Ada Stone", event="Spring Cup", round="2")
FINISHED: tuple[Content, ...] = (
    StartGame(INFO, (), Color.BLACK),
    EndGame(None),
    EndGame("B+3.5", SECRET),
)


def write(
    folder: Path, game_id: str, *contents: Content, minutes_ago: float = 60, db: str = "game.db"
) -> list[Record]:
    """Write a game's log; return its records."""
    utc = (NOW - timedelta(minutes=minutes_ago)).isoformat()
    folder.mkdir(parents=True, exist_ok=True)
    state, records = new_state(), list[Record]()
    with GameLog(folder / db, is_writer=True) as log:
        for place, content in enumerate(contents):
            said = Observation(float(place), content, utc)
            state, events = step(state, said)
            records += log.append(game_id, said, events).records
    return records


def visitor(root: Path, live: LiveGame | None = None) -> Any:
    return create_app(live or LiveGame(), library=Library(root)).test_client()


def listed(web: Any) -> list[str]:
    return [game["id"] for game in web.get("/games/index.json").get_json()["games"]]


def test_finished_games_are_listed_with_the_newest_first(tmp_path: Path) -> None:
    write(tmp_path / "games" / "a", "20260501-090000-aaaaaa", *FINISHED)
    write(tmp_path / "games" / "b", "20260501-140000-bbbbbb", *FINISHED)
    web = visitor(tmp_path)
    assert listed(web) == ["20260501-140000-bbbbbb", "20260501-090000-aaaaaa"]
    game = web.get("/games/index.json").get_json()["games"][0]
    assert (game["black"], game["result"], game["moves"]) == ("林海", "B+3.5", 0)


def test_the_list_reads_in_both_languages_and_says_when_it_is_empty(tmp_path: Path) -> None:
    assert "No game has ended yet." in visitor(tmp_path).get("/games/").text
    write(tmp_path, "20260501-090000-aaaaaa", *FINISHED)
    web = visitor(tmp_path)
    assert "Black wins by 3.5 points" in web.get("/games/?lang=en").text
    assert "黑胜1又3/4子" in web.get("/games/?lang=zh").text


def test_a_game_keeps_its_address_and_the_browser_its_copy(tmp_path: Path) -> None:
    write(tmp_path, "20260501-090000-aaaaaa", *FINISHED)
    web = visitor(tmp_path)
    with web.get("/games/20260501-090000-aaaaaa.sgf") as answer:
        assert answer.status_code == 200
        assert read_sgf(answer.data).info.black == "林海"
        assert SECRET not in answer.text
        headers = {"If-None-Match": answer.headers["ETag"]}
    assert web.get("/games/20260501-090000-aaaaaa.sgf", headers=headers).status_code == 304


@pytest.mark.parametrize("game_id", ["none", "..%2fgame", "%2e%2e", "a.b", "x" * 200])
def test_an_unknown_game_is_not_found(tmp_path: Path, game_id: str) -> None:
    write(tmp_path, "20260501-090000-aaaaaa", *FINISHED)
    assert visitor(tmp_path).get(f"/games/{game_id}.sgf").status_code == 404


def test_the_game_that_is_being_played_is_not_finished(tmp_path: Path) -> None:
    live = LiveGame()
    records = write(tmp_path, "g1", FINISHED[0])
    live.rebuild(records)
    web = visitor(tmp_path, live)
    assert listed(web) == []
    assert web.get("/games/g1.sgf").status_code == 404


def test_the_delay_holds_for_finished_games_too(tmp_path: Path) -> None:
    write(tmp_path / "games" / "a", "20260501-090000-aaaaaa", *FINISHED, minutes_ago=2)
    live = LiveGame(delay=Delay(300))
    web = visitor(tmp_path, live)
    assert listed(web) == []
    assert web.get("/games/20260501-090000-aaaaaa.sgf").status_code == 404
    live.set_delay(Delay(60))
    assert listed(web) == ["20260501-090000-aaaaaa"]


def test_nothing_is_shown_before_the_log_has_been_read(tmp_path: Path) -> None:
    write(tmp_path, "g1", *FINISHED)
    assert listed(visitor(tmp_path, LiveGame(is_reading=True))) == []


def test_a_result_that_is_only_proposed_is_not_told(tmp_path: Path) -> None:
    write(tmp_path, "g1", FINISHED[0], EndGame(None))
    (game,) = visitor(tmp_path).get("/games/index.json").get_json()["games"]
    assert (game["result"], game["result_text"]) == (None, "")


def test_a_log_is_read_again_only_when_it_has_changed(tmp_path: Path) -> None:
    write(tmp_path, "g1", FINISHED[0])
    library = Library(tmp_path)
    (before,) = library.games()
    assert library.games()[0] is before
    with GameLog(tmp_path / "game.db", is_writer=True) as log:
        ended: tuple[Event, ...] = (PhaseChanged(Phase.ENDED, "resigned"),)
        log.append("g1", Observation(9.0, Resign(Color.BLACK), NOW.isoformat()), ended)
    assert library.games()[0].is_over


def test_of_a_log_that_goes_on_only_the_game_with_new_rows_is_read_again(tmp_path: Path) -> None:
    for game_id in ("g1", "g2"):
        write(tmp_path, game_id, *FINISHED)
    library = Library(tmp_path)
    second, first = library.games()
    write(tmp_path, "g2", SettledView())
    again = library.games()
    assert again[1] is first
    assert again[0] is not second
    (tmp_path / "game.db").unlink()
    write(tmp_path, "g3", *FINISHED)
    assert [kept.game_id for kept in library.games()] == ["g3"]


def test_what_is_no_log_or_no_game_is_left_out(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "games" / "x").mkdir(parents=True)
    (tmp_path / "games" / "x" / "game.db").write_bytes(b"no database")
    write(tmp_path / "games" / "y", "g2", SettledView())
    write(tmp_path / "games" / "z", "../../bad", *FINISHED)
    assert Library(tmp_path).games() == ()
    assert str(tmp_path / "games" / "x" / "game.db") in caplog.text


def test_the_public_page_leads_to_the_games_only_where_there_are_any(tmp_path: Path) -> None:
    assert "/games/" in visitor(tmp_path).get("/").text
    assert "/games/" not in create_app(LiveGame()).test_client().get("/").text
