type AskPage<Page> = (cursor: { cursor?: string }) => Promise<Page>

/** Everything on all pages. Goes by cursor: what is added or removed meanwhile neither repeats nor hides anything else. */
export async function* walkPages<Page, Item>(
  ask: AskPage<Page>,
  itemsOf: (page: Page) => readonly Item[],
  nextOf: (page: Page) => string | null,
): AsyncGenerator<Item, void, undefined> {
  let cursor: string | null = null
  do {
    const page: Page = await ask(cursor === null ? {} : { cursor })
    yield* itemsOf(page)
    cursor = nextOf(page)
  } while (cursor !== null)
}
