import { manifests } from '@carillon/connectors/manifests'
import { addFault, openAccount, type NewConnection } from './simulated-accounts.ts'
import type { DemoConnections } from './stack-info.ts'

type Connect = (connections: readonly NewConnection[]) => Promise<{ slug: string }[]>

const failing = { platform: 'mastodon', handle: 'failing' }
const unconfirmed = { platform: 'x', handle: 'unconfirmed' }
const manager = { platform: 'linkedin', handle: 'manager-demo' }

// Platforms that accept a post with text alone come first: a first try with one connection is then a text.
const sortedManifests = Object.values(manifests).toSorted((a, b) => Number(b.text.alone) - Number(a.text.alone))

/**
 * Opens the accounts that every stack has on its simulator, adds permanent faults to two of them, and connects all. `platforms` are those that
 * the release which is started knows; all if it is not given.
 */
export async function createDemoConnections(
  simulatorUrl: string,
  connect: Connect,
  platforms?: readonly string[],
): Promise<DemoConnections> {
  const known = sortedManifests.filter(({ platform }) => platforms?.includes(platform) ?? true)
  const spares = known.slice(0, 2).map(({ platform }) => ({ platform, handle: 'spare' }))
  const demos = known.map(({ platform }) => ({ platform, handle: 'demo' }))
  const accounts = await Promise.all(
    [failing, unconfirmed, manager, ...spares, ...demos].map(({ platform, handle }) =>
      openAccount(simulatorUrl, platform, handle),
    ),
  )
  await addFault(simulatorUrl, { ...failing, operation: 'submit', fault: { kind: 'status', status: 422 } })
  // The post is accepted, its response is lost, and recent posts cannot be read: the outcome stays unknown.
  await addFault(simulatorUrl, { ...unconfirmed, operation: 'submit', fault: { kind: 'drop_after' } })
  await addFault(simulatorUrl, { ...unconfirmed, operation: 'find', fault: { kind: 'status', status: 403 } })
  const slugs = (await connect(accounts)).map(({ slug }) => slug)
  const [failConnection = '', unconfirmedConnection = '', pagesConnection = '', ...rest] = slugs
  const connections = rest.slice(spares.length)
  const accepting = (kind: 'photos' | 'video' | 'document') => connections.filter((_slug, at) => known[at]?.[kind])
  return {
    connections,
    photoConnections: accepting('photos'),
    videoConnections: accepting('video'),
    documentConnections: accepting('document'),
    failConnection,
    unconfirmedConnection,
    spareConnections: rest.slice(0, spares.length),
    pagesConnection,
  }
}
