"""An immutable sequence that grows at its end at constant cost, whatever its length."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar, overload

T = TypeVar("T")


class Trail(Sequence[T]):
    """A sequence that never changes; `appended` returns the longer one.

    Trails that grow from each other share one list, of which each sees its own length. Only the
    holder of the newest can extend the shared list; appending to an older one copies it, so that a
    branch (a retracted move) costs its length once.
    """

    __slots__ = ("_items", "_length")

    def __init__(self, items: Iterable[T] = ()) -> None:
        """Make a trail of the given items."""
        self._items: list[T] = list(items)
        self._length = len(self._items)

    def appended(self, item: T) -> Trail[T]:
        """Return this trail with one more item at its end."""
        is_newest = len(self._items) == self._length
        longer: Trail[T] = Trail.__new__(Trail)
        longer._items = self._items if is_newest else self._items[: self._length]
        longer._items.append(item)
        longer._length = self._length + 1
        return longer

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...

    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        """Return one item, or those of a slice as a tuple."""
        if isinstance(index, slice):
            return tuple(self._items[i] for i in range(*index.indices(self._length)))
        place = index + self._length if index < 0 else index
        if not 0 <= place < self._length:
            raise IndexError(f"index must be in {-self._length}..{self._length - 1}, got {index}")
        return self._items[place]

    def __iter__(self) -> Iterator[T]:
        return (self._items[i] for i in range(self._length))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (Trail, tuple, list)):
            return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))
        return NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Trail({list(self)!r})"


class History:
    """Which keys occurred, in order, and where; immutable, and grows like a `Trail`.

    A position is found again by its hash at constant cost, however long the game.
    """

    __slots__ = ("_entries", "_places")

    def __init__(self, entries: Iterable[tuple[int, int]] = ()) -> None:
        """Make a history of (key, number) entries."""
        self._entries: Trail[tuple[int, int]] = Trail()
        self._places: dict[int, list[int]] = {}
        for key, number in entries:
            longer = self.appended(key, number)
            self._entries, self._places = longer._entries, longer._places

    def appended(self, key: int, number: int) -> History:
        """Return this history with a key that occurred after move `number`."""
        longer = History.__new__(History)
        longer._entries = self._entries.appended((key, number))
        # A branch has copied the entries, so it needs places of its own as well.
        is_branch = longer._entries._items is not self._entries._items
        longer._places = _places(self._entries) if is_branch else self._places
        longer._places.setdefault(key, []).append(len(self._entries))
        return longer

    def numbers_of(self, key: int) -> tuple[int, ...]:
        """Return the move numbers after which a key occurred, the earliest first."""
        count = len(self._entries)
        return tuple(self._entries[i][1] for i in self._places.get(key, ()) if i < count)

    def __len__(self) -> int:
        return len(self._entries)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, History) and self._entries == other._entries

    def __hash__(self) -> int:
        return hash(self._entries)

    def __repr__(self) -> str:
        return f"History({list(self._entries)!r})"


def _places(entries: Trail[tuple[int, int]]) -> dict[int, list[int]]:
    places: dict[int, list[int]] = {}
    for place, (key, _) in enumerate(entries):
        places.setdefault(key, []).append(place)
    return places
