import { openAccount, type NewConnection } from '@carillon/stack'
import { fieldsOf, listOf, textOf } from './json.ts'
import { accountsEach, platforms, type Slot } from './slot.ts'

type Account = Slot & { handle: string; slug: string }

/** Each seed that runs at the same time has its own accounts, so that the faults of one seed never affect the posts of another. */
export type AccountSet = { accounts: Account[]; of(slot: Slot): Account }

type Connect = (connections: readonly NewConnection[]) => Promise<unknown>

export async function openAccountSets(simulatorUrl: string, count: number, connect: Connect): Promise<AccountSet[]> {
  const wanted = Array.from({ length: count }, (_, set) =>
    platforms.flatMap((platform) =>
      Array.from({ length: accountsEach }, (__, index) => ({ set, platform, index, handle: `chaos${set}n${index}` })),
    ),
  ).flat()
  const opened: NewConnection[] = []
  for (const { platform, handle } of wanted) opened.push(await openAccount(simulatorUrl, platform, handle))
  const connected = listOf(await connect(opened))
  const accounts = wanted.map((account, n) => ({ ...account, slug: textOf(fieldsOf(connected[n])['slug']) ?? '' }))
  return Array.from({ length: count }, (_, set) => accountSet(accounts.filter((account) => account.set === set)))
}

function accountSet(accounts: Account[]): AccountSet {
  return {
    accounts,
    of({ platform, index }) {
      const found = accounts.find((account) => account.platform === platform && account.index === index)
      if (!found) throw new Error(`no account ${index} on ${platform}`)
      return found
    },
  }
}
