import type { Context } from '../../context.ts'

type BatcherOptions<Item, Result> = {
  /** How many items one transaction takes at most. */
  max: number
  /** What an item is about. Two items with the same key never share a transaction: the second must see what the first has done. */
  keyOf(item: Item): string
  work(ctx: Context, items: readonly Item[]): Promise<Result>
  /** The part of a shared result that belongs to these items. */
  share(result: Result, items: readonly Item[]): Result
}

type Waiting<Item, Result> = { items: readonly Item[]; resolve: (result: Result) => void; reject: (error: unknown) => void }

/**
 * Calls that arrive while a transaction is running wait and share the next one: few transactions when much is due at once, no delay when
 * little is.
 */
export function createBatcher<Item, Result>({ max, keyOf, work, share }: BatcherOptions<Item, Result>) {
  const waiting: Waiting<Item, Result>[] = []
  let isBusy = false

  const takeNext = (): Waiting<Item, Result>[] => {
    const taken = new Set<string>()
    const isFull = ({ items }: Waiting<Item, Result>) => {
      const keys = items.map(keyOf)
      if (taken.size > 0 && (taken.size + keys.length > max || keys.some((key) => taken.has(key)))) return true
      for (const key of keys) taken.add(key)
      return false
    }
    const end = waiting.findIndex(isFull)
    return waiting.splice(0, end === -1 ? waiting.length : end)
  }

  const runGroup = async (ctx: Context, group: readonly Waiting<Item, Result>[]): Promise<void> => {
    const [only] = group
    try {
      const result = await work(ctx, group.length === 1 && only ? only.items : group.flatMap(({ items }) => items))
      for (const { items, resolve } of group) resolve(group.length === 1 ? result : share(result, items))
    } catch (error) {
      if (group.length === 1) return only?.reject(error)
      // One caller's items must not fail those of the others: run each alone.
      for (const each of group) await runGroup(ctx, [each])
    }
  }

  const runAll = async (ctx: Context): Promise<void> => {
    isBusy = true
    while (waiting.length > 0) await runGroup(ctx, takeNext())
    isBusy = false
  }

  return (ctx: Context, items: readonly Item[]): Promise<Result> =>
    new Promise((resolve, reject) => {
      waiting.push({ items, resolve, reject })
      if (!isBusy) void runAll(ctx)
    })
}
