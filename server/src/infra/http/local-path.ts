const here = 'http://here.invalid'

/**
 * The path, query and fragment that a browser makes of a text, or null if it would lead to another host. The text is normalised first:
 * `/.//evil.example` becomes `//evil.example`, which a browser takes for a host.
 */
export function localPath(text: string): string | null {
  // Browsers remove these from an address before they read it.
  if (!text.startsWith('/') || /[\s\\]/.test(text) || !URL.canParse(text, here)) return null
  const { origin, pathname, search, hash } = new URL(text, here)
  return origin === here && !pathname.startsWith('//') ? pathname + search + hash : null
}

/** The same path with one more query parameter. */
export function withParameters(path: string, parameters: Record<string, string>): string {
  const url = new URL(localPath(path) ?? '/', here)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.pathname + url.search + url.hash
}
