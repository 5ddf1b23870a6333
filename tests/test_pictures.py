"""Pictures of all games: deleted after their time, or when the log needs the room."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from recorder import pictures
from recorder.pictures import DAY_S, Expiry, delete_pictures, expire, free_bytes, make_room

NOW_S = 1_800_000_000.0


def game(root: Path, name: str, days_ago: float) -> Path:
    """Make a game with pictures that ended some days ago."""
    folder = root / name
    for part in ("move-0001", "move-0002", "alert-0001"):
        (folder / "evidence" / part).mkdir(parents=True)
        (folder / "evidence" / part / "after.jpg").write_bytes(b"x" * 1000)
    (folder / "game.sgf").write_text("(;)")
    ended_s = NOW_S - days_ago * DAY_S
    os.utime(folder / "game.sgf", (ended_s, ended_s))
    return folder


def has_pictures(folder: Path) -> bool:
    """Return whether there is any picture left."""
    return any((folder / "evidence").rglob("*.jpg"))


def test_pictures_go_after_their_time_and_the_record_stays(tmp_path: Path) -> None:
    old, new = game(tmp_path, "old", 31), game(tmp_path, "new", 29)
    assert expire(tmp_path, 30.0, now_s=NOW_S) == (old,)
    assert not has_pictures(old)
    assert (old / "game.sgf").exists()
    assert has_pictures(new)


def test_with_a_clock_that_was_not_set_nothing_is_deleted(tmp_path: Path) -> None:
    folder = game(tmp_path, "a", 31)
    for now_s in (0.0, NOW_S + 100_000 * DAY_S):
        assert not expire(tmp_path, 30.0, now_s=now_s)
    assert not expire(tmp_path, 0.0, now_s=NOW_S)
    assert has_pictures(folder)


def test_deleting_the_pictures_of_a_game_counts_them(tmp_path: Path) -> None:
    folder = game(tmp_path, "a", 1)
    assert delete_pictures(folder) == 3
    assert delete_pictures(folder) == 0


def test_for_room_the_oldest_game_goes_first_and_alerts_of_the_present_one_never(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = [game(tmp_path, name, days) for name, days in (("b", 3), ("a", 9), ("now", 0))]

    def free(folder: Path) -> int:
        return 10_000 - sum(p.stat().st_size for p in tmp_path.rglob("*.jpg"))

    monkeypatch.setattr(pictures, "free_bytes", free)
    assert make_room(tmp_path, 4000, but="now")
    assert [has_pictures(folder) for folder in folders] == [True, False, True]
    assert make_room(tmp_path, 8000, but="now")
    assert [has_pictures(folder) for folder in folders] == [False, False, True]
    assert make_room(tmp_path, 99_999, but="now")
    left = {path.parent.name for path in (folders[2] / "evidence").rglob("*.jpg")}
    assert left == {"alert-0001"}
    assert not make_room(tmp_path, 99_999, but="now")


def test_the_room_of_a_folder_that_is_not_there_yet_is_that_of_its_disk(tmp_path: Path) -> None:
    assert free_bytes(tmp_path / "a" / "b") > 0


def test_pictures_that_cannot_be_deleted_are_named_and_keep_no_others(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    linked, plain = game(tmp_path, "a", 99), game(tmp_path, "b", 98)
    (linked / "evidence").rename(tmp_path / "elsewhere")
    (linked / "evidence").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="symbolic link"):
        delete_pictures(linked)
    assert expire(tmp_path, 30.0, now_s=NOW_S) == (plain,)
    assert has_pictures(linked)
    assert not has_pictures(plain)
    assert "the pictures of a cannot be deleted" in caplog.text


def test_old_pictures_are_looked_for_once_an_hour(tmp_path: Path) -> None:
    expiry = Expiry(tmp_path, 30.0)
    expiry.tend(0.0)
    folder = game(tmp_path, "a", 0)
    ended_s = time.time() - 31 * DAY_S
    os.utime(folder / "game.sgf", (ended_s, ended_s))
    expiry.tend(3599.0)
    assert has_pictures(folder)
    expiry.tend(3600.0)
    assert not has_pictures(folder)
