import { openAccount, type NewConnection } from '@carillon/stack'
import { fieldsOf, listOf, textOf } from '../client/json.ts'
import { traitsOf, type Platform } from '../plan/platform-traits.ts'
import { isPage, isSameSlot, isShared, type Slot, type Workspace } from '../plan/slot.ts'

/** An account on a platform, and the connection to it. Both `slug` and `id` change when the account is connected anew. */
export type Account = Slot & { handle: string; slug: string; id: string }

/** Each seed has its own accounts, so that its faults never affect the posts of another. */
export type AccountSet = { accounts: Account[]; of(slot: Slot): Account }

type Connect = (workspace: Workspace, connections: readonly NewConnection[]) => Promise<unknown>

type Wanted = { seeds: readonly number[]; slots: readonly Slot[] }

export async function openAccountSets(simulatorUrl: string, { seeds, slots }: Wanted, connect: Connect): Promise<AccountSet[]> {
  const wanted = seeds.flatMap((seed) => slots.map((slot) => ({ seed, ...slot, handle: handleOf(seed, slot) })))
  const accounts: (Account & { seed: number })[] = []
  for (const workspace of ['eager', 'careful'] as const) {
    const own = wanted.filter((account) => account.workspace === workspace)
    const opened: NewConnection[] = []
    for (const { platform, handle } of own) opened.push(await openOn(simulatorUrl, platform, handle))
    const connected = listOf(await connect(workspace, opened)).map(fieldsOf)
    accounts.push(
      ...own.map((account, n) => ({
        ...account,
        slug: textOf(connected[n]?.['slug']) ?? '',
        id: textOf(connected[n]?.['id']) ?? '',
      })),
    )
  }
  return seeds.map((seed) => accountSet(accounts.filter((account) => account.seed === seed)))
}

function accountSet(accounts: Account[]): AccountSet {
  return {
    accounts,
    of(slot) {
      const found = accounts.find((account) => isSameSlot(account, slot))
      if (!found) throw new Error(`no account ${slot.index} on ${slot.platform}`)
      return found
    },
  }
}

/** The simulator takes a handle of LinkedIn that begins so for a page. */
function handleOf(seed: number, slot: Slot): string {
  const owner = isShared(slot) ? 's' : slot.workspace.charAt(0)
  return `${isPage(slot) ? 'company-' : ''}chaos${seed}${owner}${slot.index}`
}

/** A person who signs in at a server of their own names it, so a connection has it too. Otherwise connecting again would add a second one. */
async function openOn(simulatorUrl: string, platform: Platform, handle: string): Promise<NewConnection> {
  const account = await openAccount(simulatorUrl, platform, handle)
  return traitsOf(platform).hasSites ? { ...account, instanceUrl: `${simulatorUrl}/${platform}` } : account
}
