import type { Connector, Found, Outcome } from '@carillon/connectors'

/**
 * A connector whose posts have the simulator's addresses. Some platforms do not return the address of a post, so their connectors make it
 * from the id, and it leads to the real platform. The simulator has a page at the same path below its own origin.
 */
export function withSimulatedUrls(connector: Connector, origin: string): Connector {
  const { submit, check, find } = connector
  const change = <T extends Outcome | Found>(outcome: T): T =>
    outcome.state === 'published' ? { ...outcome, postUrl: simulatedUrl(outcome.postUrl, origin) } : outcome
  return {
    ...connector,
    submit: async (...args) => change(await submit(...args)),
    ...(check && { check: async (...args: Parameters<typeof check>) => change(await check(...args)) }),
    ...(find && { find: async (...args: Parameters<typeof find>) => change(await find(...args)) }),
  }
}

function simulatedUrl(postUrl: string | null, origin: string): string | null {
  if (postUrl === null || !URL.canParse(postUrl)) return postUrl
  const { pathname, search } = new URL(postUrl)
  const prefix = new URL(origin).pathname
  // An address that the simulator itself returned begins with the platform's path already.
  return pathname.startsWith(`${prefix}/`) ? postUrl : origin + pathname + search
}
