import type { ApiKey, Label, Report } from '@carillon/sdk'
import { beforeAll, expect } from 'vitest'
import { row } from '../../coverage/rows.ts'
import { Browser, newAddress } from '../../support/browser.ts'
import { call } from '../../support/call.ts'
import { authorizeAccount, confirmAccount } from '../../support/connect-account.ts'
import { testStack, uniqueText } from '../../test-stack.ts'

/** A workspace of its own. The client is nobody: requests without a key and without a cookie. */
const owner = new Browser()
let workspace = ''
let key = ''
let connection = ''
let label = ''

beforeAll(async () => {
  await owner.signIn(newAddress('owner'))
  workspace = (await asOwner<{ id: string }>('POST /workspaces', { name: uniqueText('Reports') })).data.id
  key = (await asOwner<ApiKey>(`POST /workspaces/${workspace}/api-keys`, { label: 'reports' })).data.key ?? ''
  await asOwner(`PATCH /workspaces/${workspace}`, { approval: 'none' })
  await confirmAccount(owner, await authorizeAccount({ platform: 'x', handle: `r${Date.now()}`, key, workspaceId: workspace }))
  connection = (await asOwner<{ slug: string }[]>(`GET /workspaces/${workspace}/connections`)).data[0]?.slug ?? ''
  label = (await asOwner<Label>('POST /labels', { name: 'Spring', color: 'teal', kind: 'campaign' })).data.id
})

async function asOwner<T>(route: string, body?: object): Promise<{ status: number; code: string | null; data: T }> {
  const [method, path] = route.split(' ')
  const page = await owner.open(`${method} /api${path}`, { ...(body && { body }), workspace })
  return { status: page.status, code: page.code, data: page.data as T }
}

async function publish(text: string, more: object = {}): Promise<void> {
  const { data } = await asOwner<{ uploadId: string }>('POST /content/text', { connections: [connection], text, ...more })
  const status = async () => (await asOwner<{ status: string }>(`GET /content/${data.uploadId}`)).data.status
  await expect.poll(status, { timeout: 30_000 }).toBe('completed')
}

const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
const make = async (body: object = {}) =>
  (
    await asOwner<Report>(`POST /workspaces/${workspace}/reports`, {
      title: 'For the client',
      from: day(2),
      to: day(-1),
      ...body,
    })
  ).data
const read = async (link: string) => {
  const response = await fetch(new URL(new URL(link).pathname, testStack.baseUrl))
  return { status: response.status, html: await response.text(), headers: response.headers }
}

row('D 29 report', async () => {
  const [named, other] = [uniqueText('of the campaign'), uniqueText('of somebody else')]
  await publish(named, { labels: [label] })
  await publish(other)
  const { link } = await make({ label, connections: [connection], language: 'de' })
  const { status, html, headers } = await read(link)
  expect([status, html.includes(named), html.includes(other)]).toEqual([200, true, false])
  expect(html).toContain('<html lang="de">')
  expect([headers.get('cache-control'), headers.get('x-robots-tag')]).toEqual(['no-store', 'noindex, nofollow, noarchive'])
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
  expect(html).not.toMatch(/<script|<link|<iframe/)
  const all = await read((await make()).link)
  expect([all.html.includes(named), all.html.includes(other)]).toEqual([true, true])
  const { data } = await asOwner<Report[]>(`GET /workspaces/${workspace}/reports`)
  expect(data.map((report) => report.link)).toContain(link)
})

row('D 29 ends', async () => {
  const { link, id } = await make()
  expect((await read(link)).status).toBe(200)
  for (const route of [`GET /workspaces/${workspace}/reports`, `DELETE /workspaces/${workspace}/reports/${id}`])
    expect((await call(route)).error.code).toBe('workspace_not_found')
  expect((await call(`DELETE /workspaces/${testStack.workspaceId}/reports/${id}`)).error.code).toBe('report_not_found')
  const soon = await make({ expiresAt: new Date(Date.now() + 2000).toISOString() })
  expect((await asOwner(`DELETE /workspaces/${workspace}/reports/${id}`)).status).toBe(200)
  await expect.poll(async () => (await read(soon.link)).status, { timeout: 10_000 }).toBe(404)
  const links = [link, soon.link, new URL(`/report/${'A'.repeat(43)}`, link).href]
  const pages = await Promise.all(links.map(read))
  expect(pages.map(({ status }) => status)).toEqual([404, 404, 404])
  expect(new Set(pages.map(({ html }) => html)).size).toBe(1)
})
