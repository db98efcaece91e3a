import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { buildServer } from './build-server.ts'
import type { Permission } from './settings.ts'

async function connect(allow: Permission): Promise<Client> {
  const openDesk = () => Promise.reject(new Error('not needed'))
  const server = buildServer({ openDesk, allow, version: '1.0.0', report: () => {} })
  const client = new Client({ name: 'test', version: '1.0.0' })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(ours), client.connect(theirs)])
  return client
}

/** Guarantee: the tools leave a model room to work, and every client can show what each of them may do. */
test('all tools together have fewer than 16 kB', async () => {
  const { tools } = await (await connect('publish')).listTools()
  expect(tools).toHaveLength(12)
  expect(JSON.stringify(tools).length).toBeLessThan(16_000)
})

test('every tool has a title, all four hints, both schemas, and a description that says what it returns or does', async () => {
  const { tools } = await (await connect('publish')).listTools()
  for (const tool of tools) {
    const hint = expect.any(Boolean)
    expect(tool).toMatchObject({
      title: expect.stringMatching(/\w+/),
      description: expect.stringMatching(/^.{60,}$/),
      inputSchema: { type: 'object', additionalProperties: false },
      outputSchema: { type: 'object', required: expect.arrayContaining(['summary']) },
    })
    expect(tool.annotations).toEqual({ readOnlyHint: hint, destructiveHint: hint, idempotentHint: hint, openWorldHint: hint })
  }
})

test('a narrower permission leaves tools out, and reading has only tools that read', async () => {
  const namesOf = async (allow: Permission) => (await (await connect(allow)).listTools()).tools
  expect((await namesOf('read')).every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
  const drafting = (await namesOf('draft')).filter(({ annotations }) => !annotations?.readOnlyHint)
  expect(drafting.map(({ name }) => name)).toEqual(['save_draft', 'add_media'])
})

test('arguments that the schema does not allow are refused with words, and nothing is called', async () => {
  const client = await connect('publish')
  const result = await client.callTool({
    name: 'publish_post',
    arguments: { text: 'Hello', when: 'now', mediaUrl: 'https://example.com' },
  })
  expect(result.isError).toBe(true)
  expect(JSON.stringify(result.content)).toContain('mediaUrl')
})

test('three prompts ask for a yes before anything is published', async () => {
  const client = await connect('read')
  const { prompts } = await client.listPrompts()
  expect(prompts.map(({ name }) => name)).toEqual(['plan_week', 'adapt_for_each_platform', 'what_failed'])
  for (const { name } of prompts) {
    const { messages } = await client.getPrompt({ name, arguments: { text: 'Hello, bells.' } })
    expect(JSON.stringify(messages)).toContain('before I have said yes')
  }
  expect((await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    'carillon://posts/{key}',
    'carillon://media/{key}',
    'carillon://platforms/{key}',
  ])
})
