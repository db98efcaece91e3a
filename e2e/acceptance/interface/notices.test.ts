import { createCarillon, type Notice, type Webhook } from '@carillon/sdk'
import { beforeAll, expect } from 'vitest'
import { rows } from '../../coverage/rows.ts'
import { Browser, newAddress } from '../../support/browser.ts'
import { call, callData } from '../../support/call.ts'
import { connectAccountsTo } from '../../support/server-env.ts'
import { inviteAndAccept } from '../../support/invite-and-accept.ts'
import { findMails, waitForMail } from '../../support/mailbox.ts'
import { dayMs } from '../../support/posts.ts'
import { useWebhookReceiver } from '../../support/webhook-receiver.ts'
import { testStack, timeAfter, uniqueText } from '../../test-stack.ts'

const receiver = useWebhookReceiver()
const posts = 5

/** Somebody submits posts; the other person of the workspace is asked to approve them, and so is a chat. */
async function submitPosts() {
  const name = uniqueText('Belfry')
  const { id: workspaceId } = await callData<{ id: string }>('POST /workspaces', { body: { name } })
  const [email, other] = [newAddress('approver'), new Browser()]
  await other.signIn(email)
  await inviteAndAccept(workspaceId, email, 'admin')
  const made = await other.open(`POST /api/workspaces/${workspaceId}/api-keys`, {
    body: { label: 'notices' },
    workspace: workspaceId,
  })
  const { key } = made.data as { key: string }
  const approver = createCarillon({ apiKey: key, workspaceId, baseUrl: testStack.baseUrl })
  const path = `/chat-${workspaceId}`
  const hook = await callData<Webhook>('POST /webhooks', {
    workspace: workspaceId,
    body: { url: receiver.url(path), events: ['content.submitted'], format: 'slack' },
  })
  const [account] = await connectAccountsTo(workspaceId, uniqueText('notices').replace(' ', '-'), ['x'])
  const body = { connections: [account?.slug], scheduledAt: timeAfter(dayMs), submit: true }
  for (let n = 0; n < posts; n++)
    await callData('POST /content/text', { workspace: workspaceId, body: { ...body, text: uniqueText('notices') } })
  // Requests that come together are gathered for 20 seconds, which is as long as one wait lasts.
  const mail = await waitForMail(email, `${name}:`).catch(() => waitForMail(email, `${name}:`))
  await receiver.waitFor(path, () => true, 30_000)
  return { workspaceId, name, email, approver, hook, path, mail }
}

let submitted: Awaited<ReturnType<typeof submitPosts>>
beforeAll(async () => {
  submitted = await submitPosts()
}, 120_000)

rows(async () => submitted, {
  'D 25 once': async ({ workspaceId, approver, email, mail, path, name }) => {
    const { notices, unread } = await approver.notices.list()
    expect([notices.map(({ kind, count }: Notice) => [kind, count]), unread]).toEqual([[['approval_asked', posts]], 1])
    expect(mail.subject).toContain(`${posts} posts`)
    expect((await findMails(email)).filter(({ subject }) => subject.includes(`${name}:`))).toHaveLength(1)
    expect(receiver.received(path)).toHaveLength(1)
    // Who submitted them is not asked.
    expect((await call<{ notices: Notice[] }>('GET /notices', { workspace: workspaceId })).data.notices).toEqual([])
    expect(await approver.notices.markRead({})).toEqual({ unread: 0 })
  },
  'D 25 chat': async ({ workspaceId, hook, path }) => {
    expect(hook).toMatchObject({ format: 'slack', secret: null })
    const [line] = receiver.received(path)
    expect(JSON.parse(line?.body ?? '')).toMatchObject({ text: expect.stringContaining(`${posts} posts`) })
    expect(Object.keys(line?.headers ?? {}).filter((each) => /signature|webhook/.test(each))).toEqual([])
    for (const route of ['GET /webhooks', `GET /webhooks/${hook.id}/deliveries`])
      expect((await call(route, { workspace: workspaceId })).text).not.toContain(path)
  },
  'D 25 unsubscribe': async ({ approver, mail }) => {
    const source = await (await fetch(`${testStack.mail?.readUrl}/api/email/${mail.id}/source`)).text()
    const [head = ''] = source.split(/\r?\n\r?\n/)
    const url = /List-Unsubscribe:\s*<([^>]+)>/i.exec(head.replaceAll(/\r?\n[ \t]+/g, ' '))?.[1]?.replaceAll(' ', '') ?? ''
    const page = await fetch(url, { headers: { accept: 'text/html' } })
    const html = await page.text()
    expect([page.status, html.includes('<button'), html.includes('<script')]).toEqual([200, true, false])
    expect((await approver.notices.settings()).approvals).toBe('at_once')
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
    expect((await fetch(`${url}x`, { method: 'POST', body })).status).toBe(404)
    expect((await fetch(url, { method: 'POST', body })).status).toBe(200)
    expect((await approver.notices.settings()).approvals).toBe('off')
  },
})
