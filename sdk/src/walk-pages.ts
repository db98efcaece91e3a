type FetchPage<Page> = (cursor: { cursor?: string }) => Promise<Page>

/** Yields the items of all pages. Uses cursors, so items added or removed meanwhile cause neither duplicates nor gaps. */
export async function* walkPages<Page, Item>(
  fetchPage: FetchPage<Page>,
  getItems: (page: Page) => readonly Item[],
  getNextCursor: (page: Page) => string | null,
): AsyncGenerator<Item, void, undefined> {
  let cursor: string | null = null
  do {
    const page: Page = await fetchPage(cursor === null ? {} : { cursor })
    yield* getItems(page)
    cursor = getNextCursor(page)
  } while (cursor !== null)
}
