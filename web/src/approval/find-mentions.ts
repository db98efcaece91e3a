type Named = { userId: string; name: string }

/** The members whose names follow an @ in a text. Of two names with the same beginning, the longer one counts. */
export function findMentions(text: string, members: readonly Named[]): string[] {
  const named = members.filter(({ name }) => name !== '').toSorted((one, other) => other.name.length - one.name.length)
  const found = new Set<string>()
  for (const { index } of text.matchAll(/(?<![\p{L}\p{N}])@/gu)) {
    const rest = text.slice(index + 1).toLowerCase()
    const member = named.find(
      ({ name }) => rest.startsWith(name.toLowerCase()) && !/^[\p{L}\p{N}]/u.test(rest.slice(name.length)),
    )
    if (member) found.add(member.userId)
  }
  return [...found]
}
