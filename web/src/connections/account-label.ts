type NamedAccount = { handle: string; displayName: string }

/** What an account is called in a sentence: its handle, or its display name where the platform gave an id instead of a handle. */
export function accountLabel(account: NamedAccount): string {
  return hasReadableHandle(account) ? `@${account.handle}` : account.displayName
}

type ListedAccount = NamedAccount & { id: string; platform: string }

/**
 * What accounts are called in a list to choose from: by their display names. Only where one platform has two of the same name is the handle
 * needed to tell them apart.
 */
export function accountNames(accounts: readonly ListedAccount[]): ReadonlyMap<string, string> {
  const isTwin = (one: ListedAccount) =>
    accounts.some(
      ({ id, platform, displayName }) => id !== one.id && platform === one.platform && displayName === one.displayName,
    )
  return new Map(
    accounts.map((account) => [account.id, isTwin(account) ? `${account.displayName} (${account.handle})` : account.displayName]),
  )
}

/** The longest user names of platforms have 30 characters. Longer ones without a dot or an @ are ids. */
const userNameMax = 30

/**
 * Some platforms do not give apps the handle of a person; their connections have the id of the account in its place, such as `782bbtaQ`.
 * The API does not tell which of the two it is, but ids are long, numbers only, or mix upper and lower case other than words do.
 */
export function hasReadableHandle({ handle }: Pick<NamedAccount, 'handle'>): boolean {
  if (/[.@]/.test(handle)) return true
  if (handle.length > userNameMax || /^\d{5,}$/.test(handle)) return false
  const mixesCases = handle.length >= 8 && /[a-z]/.test(handle) && /[A-Z]/.test(handle)
  return !mixesCases || wordsOf(handle).every((word) => /^(?:[A-Z]*[a-z]{2,}|[A-Z]{2,})?\d*$/.test(word))
}

/** `BellTower_2` → `Bell`, `Tower`, `2`. */
function wordsOf(handle: string): string[] {
  return handle.split(/[-_]|(?<=[a-z])(?=[A-Z])/)
}
