from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

Page = TypeVar("Page")
Item = TypeVar("Item")


def walk_pages(
    fetch_page: Callable[[dict[str, str]], Page],
    items_of: Callable[[Page], Sequence[Item]],
    next_cursor: Callable[[Page], str | None],
) -> Iterator[Item]:
    """Yields the items of all pages. Uses cursors, so items added or removed meanwhile cause neither duplicates nor gaps."""
    cursor: str | None = None
    while True:
        page = fetch_page({} if cursor is None else {"cursor": cursor})
        yield from items_of(page)
        cursor = next_cursor(page)
        if cursor is None:
            return
