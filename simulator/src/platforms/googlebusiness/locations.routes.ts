import type { Call } from '../../http/call.ts'
import { json, Refusal, type Reply } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { Account } from '../../state/entities.ts'
import { accountNumber } from '../../state/ids.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { badRequest, overQuota } from './errors.ts'
import { businessIdOf, locationsOf, mayPost, personIdOf, requireLocation, shortNameOf } from './locations.ts'

export const scope = 'https://www.googleapis.com/auth/business.manage'
export const charges = [{ limit: 'requests', cost: 1 }] as const

const fields = ['name', 'title', 'storeCode', 'storefrontAddress', 'metadata', 'websiteUri', 'languageCode']

/** Account Management API v1 and Business Information API v1, which have hosts of their own. */
export function locationRoutes(context: PlatformContext): Route[] {
  const listAccounts = (call: Call, { account }: Session): Reply => {
    requireApproval(context)
    const businesses = new Map(locationsOf(context, account).map((each) => [businessIdOf(context.name, each.handle), each]))
    const person = {
      name: `accounts/${personIdOf(context.name, account.handle)}`,
      accountName: account.handle,
      type: 'PERSONAL',
      verificationState: 'UNVERIFIED',
      vettedState: 'NOT_VETTED',
    }
    const groups = [...businesses].map(([id, { handle }]) => ({
      name: `accounts/${id}`,
      accountName: `The business of ${handle}`,
      type: 'LOCATION_GROUP',
      role: 'PRIMARY_OWNER',
      verificationState: 'UNVERIFIED',
      vettedState: 'NOT_VETTED',
      permissionLevel: 'OWNER_LEVEL',
    }))
    return listing(call, 'accounts', [person, ...groups], { default: 20, max: 20 })
  }

  const listLocations = (call: Call, { account }: Session): Reply => {
    requireApproval(context)
    const mask = readMask(call)
    const own = locationsOf(context, account).filter((each) => each.id.startsWith(`accounts/${call.params['account']}/`))
    return listing(
      call,
      'locations',
      own.map((each) => viewLocation(context, each, mask)),
      { default: 10, max: 100 },
    )
  }

  const getLocation = (call: Call, session: Session): Reply => {
    requireApproval(context)
    const mask = readMask(call)
    const location = requireLocation(context, `locations/${call.params['location']}`, session)
    return json(200, viewLocation(context, location, mask))
  }

  const head = { method: 'GET', operation: 'account', scope, charges } as const
  return [
    { ...head, path: '/v1/accounts', handle: listAccounts },
    { ...head, path: '/v1/accounts/:account/locations', handle: listLocations },
    { ...head, path: '/v1/locations/:location', handle: getLocation },
  ]
}

/** Before Google has approved a project, it may call each of these APIs zero times a minute. */
export function requireApproval({ settings }: PlatformContext): void {
  if (settings.audited === false) throw new Refusal(overQuota('0'))
}

function viewLocation({ name }: PlatformContext, location: Account, mask: readonly string[]) {
  const { handle } = location
  const all: Record<string, unknown> = {
    name: shortNameOf(location),
    title: `The bells of ${handle}`,
    // It is the business's own and may be missing.
    storeCode: handle.startsWith('codeless-') ? undefined : handle,
    languageCode: 'en',
    websiteUri: 'https://bells.example/',
    storefrontAddress: {
      regionCode: 'DE',
      languageCode: 'de',
      postalCode: '50667',
      locality: 'Cologne',
      addressLines: [`Bell Street ${Number(accountNumber(name, handle, 3))}`],
    },
    // A value that is false is left out, as in all JSON of Google.
    metadata: { placeId: `ChIJ${accountNumber(name, handle, 12)}`, ...(mayPost(location) && { canOperateLocalPost: true }) },
  }
  return Object.fromEntries(Object.entries(all).filter(([field]) => mask.includes(field)))
}

function readMask({ query }: Call): string[] {
  const mask = (query.get('readMask') ?? '').split(',').filter(Boolean)
  if (mask.length === 0) throw badRequest('read_mask', 'Field is required')
  const unknown = mask.find((field) => !fields.includes(field.split('.')[0] ?? ''))
  if (unknown !== undefined) throw badRequest('read_mask', `Invalid field mask provided: ${unknown}`)
  return mask.map((field) => field.split('.')[0] ?? '')
}

/** An empty list is left out of the answer, and so is the token after the last page. */
export function listing({ query }: Call, name: string, all: readonly unknown[], size: { default: number; max: number }): Reply {
  const asked = Number(query.get('pageSize') ?? 0)
  if (!Number.isInteger(asked) || asked < 0) throw badRequest('page_size', 'Page size must not be negative.')
  // A larger page than the largest is cut to it.
  const count = Math.min(asked || size.default, size.max)
  const token = query.get('pageToken') ?? ''
  const from = token === '' ? 0 : Number(Buffer.from(token, 'base64url').toString())
  if (!Number.isInteger(from)) throw badRequest('page_token', 'Invalid page token.')
  const page = all.slice(from, from + count)
  const next = from + count < all.length ? Buffer.from(String(from + count)).toString('base64url') : undefined
  return json(200, { ...(page.length > 0 && { [name]: page }), ...(next !== undefined && { nextPageToken: next }) })
}
