import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { approvalRules, type ApprovalRule, type Role } from '@carillon/contract'
import type { ApiKey, GrantableScope, Import } from '@carillon/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Browser, newAddress } from '../support/browser.ts'
import { call } from '../support/call.ts'
import { inviteAndAccept } from '../support/invite-and-accept.ts'
import { connectAccountsTo } from '../support/server-env.ts'
import { findSubmits } from '../support/find-submits.ts'
import { testStack, uniqueText } from '../test-stack.ts'

/**
 * Guarantee: what a caller may do with a post depends on the role, the scopes, the mark of the key and the rule of the workspace, and on nothing else: by
 * request, as an assistant, on the command line and in an import the answer is the same, in every cell.
 */

const callerKinds = ['session', 'all', 'draft', 'publish', 'write', 'agent'] as const
type Kind = (typeof callerKinds)[number]
type Caller = { role: Role; kind: Kind; browser: Browser; key: string }
/** What the caller wants to happen with a new post. */
const modes = ['draft', 'submit', 'publish'] as const
type Mode = (typeof modes)[number]

const reading: GrantableScope[] = ['content:read', 'media:read', 'analytics:read', 'workspaces:read']
const keyOf: Readonly<Record<Exclude<Kind, 'session'>, { scopes?: GrantableScope[]; agent?: boolean }>> = {
  all: {},
  draft: { scopes: [...reading, 'content:draft'] },
  publish: { scopes: [...reading, 'content:publish'] },
  write: { scopes: [...reading, 'content:write'] },
  agent: { agent: true },
}

/** The rules as the documentation has them, and not as the code does. */
function expected({ role, kind }: Caller, rule: ApprovalRule, mode: Mode): string {
  if (kind === 'publish') return 'scope_missing'
  if (role === 'viewer') return 'role_forbidden'
  if (mode !== 'publish') return 'ok'
  if (kind === 'draft') return 'scope_missing'
  const whoWaits: Readonly<Record<ApprovalRule, boolean>> = {
    none: false,
    agents: kind === 'agent',
    programs: kind !== 'session',
    editors: kind !== 'session' || role === 'editor',
    everyone: true,
  }
  return whoWaits[rule] ? 'approval_required' : 'ok'
}

const owner = new Browser()
let workspace = ''
let account = ''
let callers: Caller[] = []
const assistants = new Map<Caller, Client>()
const mark = uniqueText('matrix').replace(' ', '-')
let count = 0
/** No two posts have one text, and none of them is due while this runs. */
const newText = () => `${mark} ${count++}`
const at = '2031-01-01T09:00'

beforeAll(async () => {
  await owner.signIn(newAddress('owner'))
  workspace = (await asOwner<{ id: string }>('POST /workspaces', { name: 'Matrix' })).id
  const { key: ownerKey = '' } = await asOwner<ApiKey>(`POST /workspaces/${workspace}/api-keys`, { label: 'invites' })
  account = (await connectAccountsTo(workspace, `t${Date.now()}`, ['x']))[0]?.slug ?? ''
  callers = (await Promise.all((['owner', 'admin', 'editor', 'viewer'] as const).map((role) => joinAs(role, ownerKey)))).flat()
  for (const caller of callers.filter(({ kind }) => kind !== 'session')) assistants.set(caller, await openAssistant(caller.key))
}, 120_000)

afterAll(() => Promise.all([...assistants.values()].map((client) => client.close())))

/** A person with this role, and a key of each kind. Only admins make keys, so the role is given afterwards. */
async function joinAs(role: Role, ownerKey: string): Promise<Caller[]> {
  const browser = role === 'owner' ? owner : new Browser()
  const email = newAddress(role)
  if (role !== 'owner') {
    await browser.signIn(email)
    await inviteAndAccept(workspace, email, 'admin', ownerKey)
  }
  const made = await Promise.all(
    callerKinds.map(async (kind) => {
      if (kind === 'session') return { role, kind, browser, key: '' }
      const body = { label: kind, workspaceOnly: true, ...keyOf[kind] }
      const { data } = await browser.open(`POST /api/workspaces/${workspace}/api-keys`, { body, workspace })
      return { role, kind, browser, key: (data as ApiKey).key ?? '' }
    }),
  )
  if (role === 'editor' || role === 'viewer') {
    const members = await asOwner<{ userId: string; email: string }[]>(`GET /workspaces/${workspace}/members`)
    const member = members.find((each) => each.email === email)
    await asOwner(`PATCH /workspaces/${workspace}/members/${member?.userId}`, { role })
  }
  return made
}

async function openAssistant(key: string): Promise<Client> {
  const client = new Client({ name: 'matrix', version: '1.0.0' })
  const requestInit = { headers: { authorization: `Bearer ${key}`, 'x-workspace-id': workspace } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${new URL(testStack.baseUrl).origin}/mcp`), { requestInit }))
  return client
}

async function asOwner<T>(route: string, body?: object): Promise<T> {
  const [method, path] = route.split(' ')
  const page = await owner.open(`${method} /api${path}`, { ...(body && { body }), workspace })
  if (page.status >= 300) throw new Error(`${route}: ${page.status} ${page.text.slice(0, 300)}`)
  return page.data as T
}

async function request<T>({ browser, key, kind }: Caller, route: string, body: object): Promise<{ code: string; data: T }> {
  const [method, path] = route.split(' ')
  if (kind === 'session') {
    const page = await browser.open(`${method} /api${path}`, { body, workspace })
    return { code: page.code ?? 'ok', data: page.data as T }
  }
  const { error, data } = await call<T>(route, { key, workspace, body })
  return { code: error?.code ?? 'ok', data }
}

const modeOf: Readonly<Record<Mode, object>> = { draft: { saveDraft: true }, submit: { submit: true }, publish: {} }

async function byRequest(caller: Caller, mode: Mode): Promise<string> {
  const body = { connections: [account], text: newText(), scheduledAt: `${at}:00Z`, ...modeOf[mode] }
  return (await request(caller, 'POST /content/text', body)).code
}

async function byAssistant(caller: Caller, mode: Mode): Promise<string> {
  const args = { accounts: [account], text: newText(), when: at, ...(mode === 'submit' && { submit: true }) }
  try {
    const name = mode === 'publish' ? 'publish_post' : 'save_draft'
    const { structuredContent } = (await assistants.get(caller)?.callTool({ name, arguments: args })) ?? {}
    return (structuredContent as { error?: { code: string } } | undefined)?.error?.code ?? 'ok'
  } catch (error) {
    // A tool that the scopes of the key do not reach is not there.
    if (/save_draft|publish_post/.test(String(error))) return 'scope_missing'
    throw error
  }
}

async function byImport(caller: Caller, mode: Mode): Promise<string> {
  const content = JSON.stringify({ connections: [account], text: newText(), scheduledAt: `${at}:00Z` })
  const placement = mode === 'publish' ? 'scheduled' : 'draft'
  const body = { format: 'jsonl', content, placement, dryRun: false, oldQueueStopped: true }
  const { code, data } = await request<Import>(caller, 'POST /imports', body)
  const [row] = code === 'ok' ? data.rows : []
  return row?.code ?? (code === 'ok' && row?.status !== 'created' ? `${row?.status}` : code)
}

/** The command line, in one process. */
function openLine() {
  const program = join(import.meta.dirname, '../support/programs/run-command-lines.ts')
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    close: () => child.stdin.end(),
    async run({ key }: Caller, mode: Mode): Promise<string> {
      const env = { CARILLON_URL: testStack.baseUrl, CARILLON_API_KEY: key, CARILLON_WORKSPACE_ID: workspace }
      const wish = mode === 'publish' ? [] : [`--${mode}`]
      const args = ['post', 'create', newText(), '--to', account, '--at', at, '--zone', 'UTC', ...wish, '--json']
      child.stdin.write(`${JSON.stringify({ args, env })}\n`)
      const { code, notes } = JSON.parse((await lines.next()).value ?? '{}') as { code: number; notes: string }
      return code === 0 ? 'ok' : (/"code": ?"(\w+)"/.exec(notes)?.[1] ?? notes)
    },
  }
}

type Cell = { caller: Caller; mode: Mode }

type Ask = (caller: Caller, mode: Mode) => Promise<string>

async function findWrong(rule: ApprovalRule, cells: readonly Cell[], ask: Ask) {
  const wrong: string[] = []
  for (const { caller, mode } of cells) {
    // An assistant is not even offered what its scopes do not reach, before its role is asked.
    const isNotOffered = ask === byAssistant && caller.kind === 'draft' && mode === 'publish'
    const [is, should] = [await ask(caller, mode), isNotOffered ? 'scope_missing' : expected(caller, rule, mode)]
    if (is !== should) wrong.push(`${mode} as ${caller.role} with ${caller.kind}: ${is}, and not ${should}`)
  }
  return wrong
}

test.each(approvalRules)(
  'with the rule %s, every door gives every caller the same answer',
  { timeout: 120_000 },
  async (rule) => {
    await asOwner(`PATCH /workspaces/${workspace}`, { approval: rule })
    // A process may know the rule of before for so long.
    await new Promise((resolve) => setTimeout(resolve, 600))
    const all = callers.flatMap((caller) => modes.map((mode) => ({ caller, mode })))
    const programs = all.filter(({ caller }) => caller.kind !== 'session')
    expect([all.length, programs.length]).toEqual([72, 60])
    const line = openLine()
    const [requested, assistant, command, imported] = await Promise.all([
      findWrong(rule, all, byRequest),
      findWrong(rule, programs, byAssistant),
      findWrong(rule, programs, (caller, mode) => line.run(caller, mode)),
      // An import submits nothing: its drafts are submitted one by one.
      findWrong(
        rule,
        all.filter(({ mode }) => mode !== 'submit'),
        byImport,
      ),
    ])
    line.close()
    expect({ request: requested, assistant, command, import: imported }).toEqual({
      request: [],
      assistant: [],
      command: [],
      import: [],
    })
    expect(await findSubmits(mark)).toMatchObject({ asked: 0 })
  },
)
