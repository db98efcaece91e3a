import type { Static } from 'typebox'
import type { Account } from '../kit/auth.ts'
import type { Http } from '../kit/http.ts'
import { endpointPath } from '../kit/oauth2.ts'
import { origin } from './origin.ts'
import { Accounts, Location, Locations } from './wire.ts'

const accountsUrl = 'https://mybusinessaccountmanagement.googleapis.com/v1/accounts'
const informationUrl = 'https://mybusinessbusinessinformation.googleapis.com/v1'

const readMask = 'name,title,storeCode,storefrontAddress,metadata'
const accountsPerPage = 20
const locationsPerPage = 100
/** Of both kinds together: each is one of the 300 calls that a project has in a minute. */
const callsMax = 60

type Found = { account: Account; isOffered: boolean }

/**
 * The locations on which the person may post. Of an account of a person, Google lists those that it owns itself, and of a group all that one
 * can reach through it; so a location may come twice.
 */
export async function listLocations(http: Http): Promise<Account[]> {
  const found = new Map<string, Found>()
  for await (const [account, location] of readLocations(http)) {
    if (found.has(location.name)) continue
    const isOffered = location.metadata?.canOperateLocalPost === true
    found.set(location.name, { account: accountOf(`${account}/${location.name}`, location), isOffered })
  }
  // A value that is false is left out of answers. So where no location has it, it tells nothing.
  const all = [...found.values()]
  const offered = all.filter(({ isOffered }) => isOffered)
  return (offered.length > 0 ? offered : all).map(({ account }) => account)
}

async function* readLocations(http: Http): AsyncGenerator<readonly [account: string, Static<typeof Location>]> {
  const calls = { left: callsMax }
  const ofPerson = { url: accountsUrl, pageSize: accountsPerPage, returns: Accounts, calls }
  for await (const { accounts = [] } of readPages(http, ofPerson))
    for (const { name } of accounts) {
      const ofAccount = { url: `${informationUrl}/${name}/locations`, pageSize: locationsPerPage, returns: Locations, calls }
      for await (const { locations = [] } of readPages(http, { ...ofAccount, readMask }))
        yield* locations.map((location) => [name, location] as const)
    }
}

/** What the connection shows of a location. */
export async function readLocation(http: Http, path: string): Promise<Account> {
  const url = `${informationUrl}/${path.slice(path.indexOf('locations/'))}`
  const call = { method: 'GET', query: { readMask }, isOwnHost: true } as const
  return accountOf(path, await http.call({ ...call, path: pathOn(http, url), returns: Location }))
}

type Listing<Page> = {
  url: string
  pageSize: number
  returns: Page
  readMask?: string
  calls: { left: number }
}

async function* readPages<Page extends typeof Accounts | typeof Locations>(
  http: Http,
  { url, pageSize, returns, readMask: mask, calls }: Listing<Page>,
): AsyncGenerator<Static<Page>> {
  let pageToken: string | undefined
  do {
    if (calls.left-- <= 0) return
    const query = { pageSize: String(pageSize), pageToken, readMask: mask }
    const page = await http.call({ method: 'GET', path: pathOn(http, url), query, isOwnHost: true, returns })
    yield page
    pageToken = page.nextPageToken
  } while (pageToken)
}

function pathOn(http: Http, url: string): string {
  return endpointPath(url, { apiOrigin: origin }, http)
}

/** `path` is the name of the location with the account through which it is reached, because posts are named so. */
function accountOf(path: string, { name, title, storeCode, storefrontAddress }: Static<typeof Location>): Account {
  const { addressLines: [street] = [], locality } = storefrontAddress ?? {}
  const handle = storeCode || name.slice(name.indexOf('/') + 1)
  const displayName = [title, street, locality].filter(Boolean).join(', ') || handle
  return { id: path, handle, displayName, avatarUrl: null }
}
