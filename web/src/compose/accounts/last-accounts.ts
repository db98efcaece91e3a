import { readStoredList, storeList } from '../../ui/stored-list.ts'

const key = (workspaceId: string) => `carillon.accounts.${workspaceId}`

/** The accounts of the last post from this browser: the next one usually goes to the same. */
export function readLastAccounts(workspaceId: string): readonly string[] {
  return readStoredList(key(workspaceId))
}

export function storeLastAccounts(workspaceId: string, accounts: readonly string[]): void {
  storeList(key(workspaceId), accounts)
}
