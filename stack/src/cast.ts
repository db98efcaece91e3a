import { manifests } from '@carillon/connectors/manifests'
import { addFault, openAccount, type NewConnection } from './simulated-accounts.ts'

/** Which of the connected accounts plays which part, by slug. */
export type Cast = {
  /** One for each platform; those that take a text alone come first. */
  connections: string[]
  photoConnections: string[]
  videoConnections: string[]
  documentConnections: string[]
  failConnection: string
  unconfirmedConnection: string
  /** Two that may be lost. */
  spareConnections: string[]
  /** One whose owner also manages pages, so that there is something to choose from. */
  pagesConnection: string
}

type Connect = (connections: readonly NewConnection[]) => Promise<{ slug: string }[]>

const failing = { platform: 'mastodon', handle: 'failing' }
const unconfirmed = { platform: 'x', handle: 'unconfirmed' }
const manager = { platform: 'linkedin', handle: 'manager-demo' }

// Those that take a text alone come first: who tries one connection tries that.
const facts = Object.values(manifests).toSorted((a, b) => Number(b.text.alone) - Number(a.text.alone))

/** Opens the accounts every stack has on its simulator, gives two of them their standing faults, and connects them. */
export async function castAccounts(simulatorUrl: string, connect: Connect): Promise<Cast> {
  const spares = facts.slice(0, 2).map(({ platform }) => ({ platform, handle: 'spare' }))
  const demos = facts.map(({ platform }) => ({ platform, handle: 'demo' }))
  const accounts = await Promise.all(
    [failing, unconfirmed, manager, ...spares, ...demos].map(({ platform, handle }) =>
      openAccount(simulatorUrl, platform, handle),
    ),
  )
  await addFault(simulatorUrl, { ...failing, operation: 'submit', fault: { kind: 'status', status: 422 } })
  // The post is taken, its answer lost, and reading back is not allowed: nobody can know.
  await addFault(simulatorUrl, { ...unconfirmed, operation: 'submit', fault: { kind: 'drop_after' } })
  await addFault(simulatorUrl, { ...unconfirmed, operation: 'find', fault: { kind: 'status', status: 403 } })
  const [fail = '', lost = '', pages = '', ...rest] = (await connect(accounts)).map(({ slug }) => slug)
  const connections = rest.slice(spares.length)
  const taking = (kind: 'photos' | 'video' | 'document') => connections.filter((_slug, at) => facts[at]?.[kind])
  return {
    connections,
    photoConnections: taking('photos'),
    videoConnections: taking('video'),
    documentConnections: taking('document'),
    failConnection: fail,
    unconfirmedConnection: lost,
    spareConnections: rest.slice(0, spares.length),
    pagesConnection: pages,
  }
}
