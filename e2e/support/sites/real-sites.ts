import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { installWordpress, startGhost, startWordpress } from '@carillon/stack/services'
import { openLossyProxy, type LossyProxy } from './lossy-proxy.ts'

/** A post as the API of its site has it. */
type SitePost = { id: string; title: string; html: string; pageUrl: string }

export type RealSite = {
  platform: 'wordpress' | 'ghost'
  /** What stands in front of the site. Its address is that of the site. */
  proxy: LossyProxy
  /** What a person enters to connect the site. */
  fields: Record<string, string>
  findPosts: () => Promise<SitePost[]>
  stop: () => Promise<void>
}

/** Starts a real WordPress with SQLite. If it cannot be installed on this machine, the reason is returned. */
export async function startWordpressSite(dir: string): Promise<RealSite | string> {
  const missing = await installWordpress()
  if (missing !== undefined) return missing
  const proxy = await openLossyProxy()
  const site = await startWordpress({ dir: join(dir, 'wordpress'), publicUrl: proxy.url })
  proxy.forwardTo(site.url)
  const { username, applicationPassword: password } = site
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  return {
    platform: 'wordpress',
    proxy,
    fields: { username, password },
    async findPosts() {
      type Listed = { id: number; link: string; title: { raw: string }; content: { raw: string } }
      const query = 'context=edit&status=any&per_page=100'
      const posts = await read<Listed[]>(`${site.url}/wp-json/wp/v2/posts?${query}`, { authorization })
      return posts.map(({ id, link, title, content }) => ({
        id: String(id),
        title: title.raw,
        html: content.raw,
        pageUrl: link,
      }))
    },
    stop: () => stopBoth(site, proxy),
  }
}

export async function startGhostSite(dir: string): Promise<RealSite> {
  const proxy = await openLossyProxy()
  const site = await startGhost({ dir: join(dir, 'ghost'), publicUrl: proxy.url })
  proxy.forwardTo(site.url)
  return {
    platform: 'ghost',
    proxy,
    fields: { adminKey: site.adminKey },
    async findPosts() {
      type Listed = { posts: { id: string; url: string; title: string; html: string }[] }
      const authorization = `Ghost ${signToken(site.adminKey)}`
      const { posts } = await read<Listed>(`${site.url}/ghost/api/admin/posts/?formats=html&limit=100`, { authorization })
      return posts.map(({ id, url, title, html }) => ({ id, title, html, pageUrl: url }))
    },
    stop: () => stopBoth(site, proxy),
  }
}

async function stopBoth(site: { stop(): Promise<void> }, proxy: LossyProxy): Promise<void> {
  await site.stop()
  proxy.close()
}

async function read<Body>(url: string, headers: Record<string, string>): Promise<Body> {
  const response = await fetch(url, { headers })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${(await response.text()).slice(0, 500)}`)
  return (await response.json()) as Body
}

/** Written from Ghost's documentation, and not with the code that is tested. */
function signToken(adminKey: string): string {
  const [kid = '', secret = ''] = adminKey.split(':')
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const iat = Math.floor(Date.now() / 1000)
  const signed = `${part({ alg: 'HS256', typ: 'JWT', kid })}.${part({ iat, exp: iat + 300, aud: '/admin/' })}`
  return `${signed}.${createHmac('sha256', Buffer.from(secret, 'hex')).update(signed).digest('base64url')}`
}
