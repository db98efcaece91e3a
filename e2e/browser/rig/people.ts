import { randomBytes } from 'node:crypto'
import type { BrowserContext } from 'playwright-core'
import { findLink, waitForMail } from '../../support/mailbox.ts'
import { queryDatabase } from '../../support/query-database.ts'
import { origin, type Desk } from './desk.ts'

export const goodPassword = 'seven bells at dusk'

export type TestPerson = { name: string; email: string; workspaceId: string; workspace: string }

/** Brings the install back to where no person can sign in. Their addresses are free, because later tests sign up with one that is fixed. */
export async function emptyInstall(): Promise<void> {
  await queryDatabase("update person set email = 'gone-' || id || '@example.com'")
  await queryDatabase('delete from account')
  await queryDatabase('delete from passkey')
  await queryDatabase('delete from session')
}

export function newEmail(): string {
  return `ringer-${randomBytes(5).toString('hex')}@example.com`
}

/** Creates a person, unless there is one with this address, with a workspace of their own, and signs them in in this window. */
export async function signInNewPerson(
  { context }: Desk,
  { simulated = false, email = newEmail(), workspace = `Tower ${randomBytes(3).toString('hex')}` } = {},
): Promise<TestPerson> {
  const name = 'Ada Ringer'
  const known = await queryDatabase('select 1 from person where email = $1', [email])
  if (known.length === 0) await post(context, '/auth/sign-up/email', { name, email, password: goodPassword })
  await queryDatabase('update person set email_verified = true where email = $1', [email])
  await signIn(context, email)
  const workspaceId = await createWorkspace({ context }, { simulated, workspace })
  return { name, email, workspaceId, workspace }
}

/** A new workspace of the person who is signed in. */
export async function createWorkspace(
  { context }: Pick<Desk, 'context'>,
  { simulated, workspace }: { simulated: boolean; workspace: string },
): Promise<string> {
  const { data } = await post(context, '/api/workspaces', { name: workspace, timezone: 'Europe/Berlin' })
  const { id } = data as { id: string }
  if (simulated) await post(context, '/integrations/simulated', {}, id)
  return id
}

/** The name under which the simulator knows the accounts of a person's workspace. Faults for it disturb no other test. */
export function simulatedHandle({ workspace }: TestPerson): string {
  return workspace.toLowerCase().replaceAll(' ', '-')
}

/** Creates another person, who is a member of the first one's workspace and signed in in the other window. */
export async function inviteMember(owner: Desk, { context }: Desk, workspaceId: string, role = 'editor'): Promise<string> {
  const [name, email] = ['Grace Ringer', newEmail()]
  await post(context, '/auth/sign-up/email', { name, email, password: goodPassword })
  await queryDatabase('update person set email_verified = true where email = $1', [email])
  await post(owner.context, `/api/workspaces/${workspaceId}/invitations`, { email, role })
  const link = findLink(await waitForMail(email, 'invites you'))
  const accepted = await fetch(link, { method: 'POST', headers: { accept: 'application/json' } })
  if (!accepted.ok) throw new Error(`the invitation was not accepted: ${await accepted.text()}`)
  await signIn(context, email)
  return email
}

/** Signs in without the page. */
export async function signIn(context: BrowserContext, email: string): Promise<void> {
  await post(context, '/auth/sign-in/email', { email, password: goodPassword, rememberMe: true })
}

/** Sends a request with the cookies of the window, as its pages do. */
export async function post(
  context: BrowserContext,
  path: string,
  body: object,
  workspaceId?: string,
): Promise<{ data?: unknown }> {
  const headers = { origin, ...(workspaceId !== undefined && { 'x-workspace-id': workspaceId }) }
  const response = await context.request.post(path, { data: body, headers })
  if (!response.ok()) throw new Error(`${path}: ${response.status()} ${await response.text()}`)
  return (await response.json()) as { data?: unknown }
}
