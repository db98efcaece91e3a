const lengthMax = 254

/**
 * Whether this is an address with which better-auth lets a person sign in: it refuses any other form before it looks it up. Its own rule, so
 * that nobody changes to an address and is locked out.
 */
export function isAddress(text: string): boolean {
  const [name = '', host = '', ...more] = text.split('@')
  return (
    text.length <= lengthMax &&
    more.length === 0 &&
    /^[\w'+.-]*[\w+-]$/.test(name) &&
    !name.startsWith('.') &&
    !name.includes('..') &&
    /^(?:[a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/i.test(host)
  )
}
