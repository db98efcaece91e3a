import { Type, type Static } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { externalFields } from '../external-id.ts'
import { IdParam, Nullable, ObjectId, StrictObject, Timestamp } from '../primitives.ts'
import { platforms } from '../platforms.ts'

/** `ended`: its maker is no admin any more, or the key that made it is gone. */
const connectLinkStates = ['open', 'used', 'expired', 'revoked', 'ended'] as const

const shown = {
  id: ObjectId,
  platforms: Type.Array(Type.Enum([...platforms]), { description: 'The person chooses one of them' }),
  connectionId: Nullable(Type.String({ description: 'The connection that the link renews, or that came from it' })),
  isReconnect: Type.Boolean({ description: 'Whether the link is for an account that is connected already' }),
  returnUrl: Nullable(Type.String()),
  state: Type.Enum([...connectLinkStates]),
  createdBy: Nullable(StrictObject({ userId: ObjectId, name: Type.String() })),
  apiKeyId: Nullable(Type.String({ description: 'The key that made it' })),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  usedAt: Nullable(Timestamp),
  ...externalFields,
}

export const ConnectLink = StrictObject({
  ...shown,
  url: Type.Optional(
    Type.String({ description: 'The link to give to the owner of the account. Only in the response that makes it' }),
  ),
  returnSecret: Type.Optional(
    Type.String({
      description:
        'With it you check the signature of the result with which the person comes back. Only in the response that makes the link',
    }),
  ),
})
export type ConnectLink = Static<typeof ConnectLink>

const NewConnectLink = StrictObject({
  platforms: Type.Optional(
    Type.Array(Type.Enum([...platforms]), {
      minItems: 1,
      uniqueItems: true,
      description: 'One platform, or several of which the person chooses one. Not with connectionId, which has its platform',
    }),
  ),
  connectionId: Type.Optional(
    Type.String({ maxLength: 64, description: 'The connection to renew. Only the same account is accepted, and its id stays' }),
  ),
  expiresInDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 30, description: 'Default: 7' })),
  returnUrl: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      description: 'Where the person goes afterwards: an https address whose origin is one of `returnOrigins` of the workspace',
    }),
  ),
  ...externalFields,
})

const common = { scope: 'connections:invite', role: 'admin', workspace: 'header', ok: 200 } as const

/** A person without an account here connects theirs to a workspace. The link is made by a program; the connection by that person. */
export const connectLinks = {
  list: endpoint({
    ...common,
    id: 'connectLinks.list',
    method: 'GET',
    path: '/connect-links',
    summary: 'List connect links, the newest first',
    query: StrictObject({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Default: 100' })),
      cursor: Type.Optional(
        Type.String({
          pattern: '^[0-9a-f]{24}$',
          description: 'The id of the last link of the previous page. The list is complete when a page is empty',
          'x-message': 'Must be the id of the last link of the previous page.',
        }),
      ),
    }),
    returns: Type.Array(ConnectLink),
    errors: [],
    audit: null,
  }),
  create: endpoint({
    ...common,
    id: 'connectLinks.create',
    method: 'POST',
    path: '/connect-links',
    summary: 'Make a link with which a person connects an account without signing in here; it works once',
    body: NewConnectLink,
    returns: ConnectLink,
    returnsSecret: true,
    ok: 201,
    errors: ['connection_not_found', 'platform_not_configured', 'external_id_taken', 'return_url_refused', 'quota_reached'],
    audit: 'connect_link.create',
  }),
  revoke: endpoint({
    ...common,
    id: 'connectLinks.revoke',
    method: 'DELETE',
    path: '/connect-links/:id',
    summary: 'Revoke a connect link; an account that was connected with it stays',
    params: IdParam,
    returns: Type.Null(),
    errors: ['connect_link_not_found'],
    audit: 'connect_link.revoke',
  }),
}
