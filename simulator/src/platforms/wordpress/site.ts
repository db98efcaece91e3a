import type { Call } from '../../http/call.ts'
import { html, json, Refusal, type Reply } from '../../http/reply.ts'
import type { Route } from '../../platform.ts'
import type { Account } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'

export const api = '/wp-json/wp/v2'

/** By the beginning of the handle: the role of the person, or what is special about the site. */
const kinds = ['contributor', 'author', 'closed', 'small', 'plain', 'disabled'] as const

export function isKind({ handle }: Account, kind: (typeof kinds)[number]): boolean {
  return handle.startsWith(`${kind}-`)
}

export function isModerator(account: Account): boolean {
  return !isKind(account, 'contributor') && !isKind(account, 'author')
}

/** The user and the application password of a Basic header. WordPress takes only letters and digits of the password, so its groups may be kept. */
export function tokenOf({ headers }: Call): string | undefined {
  const encoded = /^Basic (\S+)$/i.exec(headers.authorization ?? '')?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon === -1 ? undefined : encodeToken(text.slice(0, colon), text.slice(colon + 1).replaceAll(/[^a-z\d]/gi, ''))
}

export function encodeToken(handle: string, password: string): string {
  return Buffer.from(`${handle}:${password}`).toString('base64')
}

export function siteRoutes(context: PlatformContext): Route[] {
  const findAccount = (call: Call) => context.tokens.find(tokenOf(call))?.account
  return [
    {
      method: 'GET',
      path: '/wp-json/',
      operation: 'other',
      open: true,
      findAccount,
      answer: (call) => describeSite(context, findAccount(call)),
    },
    {
      method: 'GET',
      path: `${api}/users/me`,
      operation: 'account',
      handle: ({ query }, { account }) => json(200, viewUser(context, account, query.get('context') === 'edit')),
    },
  ]
}

function describeSite(context: PlatformContext, account: Account | undefined): Reply {
  // With plain permalinks the path does not exist, and the theme answers with its page for that.
  if (account && isKind(account, 'plain')) throw new Refusal(html(404, '<!doctype html><title>Page not found</title>'))
  const authorization = `${context.origin}/wp-admin/authorize-application.php`
  const hasPasswords = !account || !isKind(account, 'disabled')
  return json(200, {
    name: 'Bells &amp; Towers',
    description: '',
    url: context.origin,
    home: context.origin,
    gmt_offset: '0',
    timezone_string: '',
    namespaces: ['oembed/1.0', 'wp/v2', 'wp-site-health/v1'],
    // PHP writes an empty object as an empty list.
    authentication: hasPasswords ? { 'application-passwords': { endpoints: { authorization } } } : [],
    routes: {},
  })
}

function viewUser(context: PlatformContext, account: Account, isEdit: boolean) {
  const { id, handle } = account
  const avatar = context.avatarUrlOf(handle)
  const base = {
    id: Number(id),
    name: handle,
    url: '',
    description: '',
    link: `${context.origin}/author/${handle}/`,
    slug: handle,
    avatar_urls: { '24': avatar, '48': avatar, '96': avatar },
    meta: [],
  }
  return isEdit ? { ...base, username: handle, roles: [roleOf(account)], capabilities: capabilitiesOf(account) } : base
}

function roleOf(account: Account): string {
  if (isKind(account, 'contributor')) return 'contributor'
  return isKind(account, 'author') ? 'author' : 'editor'
}

function capabilitiesOf(account: Account) {
  const mayPublish = !isKind(account, 'contributor')
  return {
    read: true,
    edit_posts: true,
    delete_posts: true,
    ...(mayPublish && { publish_posts: true, upload_files: true, edit_published_posts: true, delete_published_posts: true }),
    ...(isModerator(account) && { moderate_comments: true, manage_categories: true, edit_others_posts: true }),
  }
}
