import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { endpoints } from '@carillon/contract'
import type { Post, Workspace } from '@carillon/sdk'
import { expect, test } from 'vitest'
import { openDesk, origin } from '../rig/desk.ts'
import { signInNewPerson } from '../rig/people.ts'
import { createPost, dayOfNextMonth, readApi } from '../rig/posts.ts'

/** Addresses outside the API that change something. */
const others = [
  '/auth/sign-out',
  '/auth/revoke-sessions',
  '/auth/revoke-other-sessions',
  '/auth/change-password',
  '/auth/delete-user',
  '/auth/two-factor/enable',
  '/integrations/simulated',
]

/** A page of another site, whose scripts and forms send requests with the person's cookies wherever the browser lets them. */
async function startOtherSite(): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((_request, answer) => {
    answer.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Prizes</title><form method="post"></form>')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    // For a browser, 127.0.0.1 and localhost are different sites.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}

test('guarantee: a page of another site changes nothing, on any route, and signs nobody out', async () => {
  await using site = await startOtherSite()
  // The browser reports the answers that the other page may not read.
  const desk = await openDesk({ expects: [0, 401, 403, 404, 415, 422] })
  const { workspaceId } = await signInNewPerson(desk, { simulated: true })
  const id = await createPost(desk, { workspaceId, text: 'Evensong', wall: `${dayOfNextMonth(10)}T09:45` })
  const read = async () => [
    await readApi<Workspace[]>(desk, '/workspaces', workspaceId),
    await readApi<unknown[]>(desk, `/workspaces/${workspaceId}/connections`, workspaceId),
    await readApi<unknown[]>(desk, `/workspaces/${workspaceId}/members`, workspaceId),
    (await readApi<{ data: Post[] }>(desk, '/content', workspaceId)).data.map(({ uploadId, status }) => [uploadId, status]),
  ]
  const before = await read()

  const routes = endpoints
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => ({ method, path: `/api${path.replace('/workspaces/:id', `/workspaces/${workspaceId}`)}` }))
    .concat(others.map((path) => ({ method: 'POST' as const, path })))
    .map(({ method, path }) => ({ method, url: origin + path.replaceAll(/:\w+/g, id) }))
  await desk.page.goto(site.url)
  await desk.page.evaluate(async (targets) => {
    const body = JSON.stringify({ name: 'Taken over', confirm: true })
    for (const { method, url } of targets) {
      // What needs no permission, and what asks for one first.
      await fetch(url, { method: 'POST', mode: 'no-cors', credentials: 'include', body }).catch(() => {})
      const headers = { 'content-type': 'application/json' }
      await fetch(url, { method, credentials: 'include', headers, body }).catch(() => {})
    }
  }, routes)
  // A form leaves the page with the person in front of it, so the browser sends more than for a script.
  const workspaceRoute = `${origin}/auth/sign-out`
  await desk.page.evaluate((action) => {
    const form = document.querySelector('form')
    if (form) form.action = action
    form?.submit()
  }, workspaceRoute)
  await desk.page.waitForURL(workspaceRoute)
  expect(await read()).toEqual(before)
})
