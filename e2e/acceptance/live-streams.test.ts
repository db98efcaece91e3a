import { expect, test } from 'vitest'
import { Browser } from '../support/browser.ts'
import { measureProcess } from '../support/measure-memory.ts'
import { testStack, uniqueText } from '../test-stack.ts'

const people = 10
const streamsEach = 20
const extraBytesMax = 100_000_000
const server = testStack.baseUrl.replace(/\/api$/, '')

type Stream = { reader: ReadableStreamDefaultReader<Uint8Array>; text: string }

async function openStream(workspaceId: string, cookie: string): Promise<Stream> {
  const response = await fetch(`${server}/api/workspaces/${workspaceId}/live`, { headers: { cookie } })
  if (!response.ok || !response.body) throw new Error(`the stream was refused: ${response.status}`)
  return { reader: response.body.getReader(), text: '' }
}

async function readUntil(stream: Stream, words: string): Promise<void> {
  const decoder = new TextDecoder()
  while (!stream.text.includes(words)) {
    const { done, value } = await stream.reader.read()
    if (done) throw new Error(`the stream ended after ${stream.text}`)
    stream.text += decoder.decode(value, { stream: true })
  }
}

test(
  `guarantee: ${people * streamsEach} open streams cost less than ${extraBytesMax / 1e6} MB, and each gets its changes`,
  { timeout: 120_000 },
  async () => {
    const members = await Promise.all(
      Array.from({ length: people }, async () => {
        const browser = new Browser()
        await browser.signIn()
        const { id } = (await browser.open('POST /api/workspaces', { body: { name: uniqueText('Streams') } })).data as {
          id: string
        }
        return { browser, id }
      }),
    )
    const { result: streams, extraBytes } = await measureProcess(testStack.pids['Carillon all'] ?? 0, async () => {
      const opened: Stream[] = []
      for (const { browser, id } of members)
        opened.push(...(await Promise.all(Array.from({ length: streamsEach }, () => openStream(id, browser.cookie)))))
      for (const { browser, id } of members)
        await browser.open(`PATCH /api/workspaces/${id}`, { body: { name: uniqueText('Streams') } })
      await Promise.all(opened.map((stream) => readUntil(stream, 'event: workspace.changed')))
      return opened
    })
    console.log(`${streams.length} streams: ${(extraBytes / 1e6).toFixed(1)} MB more`)
    expect(streams).toHaveLength(people * streamsEach)
    expect(extraBytes).toBeLessThan(extraBytesMax)
    await Promise.all(streams.map(({ reader }) => reader.cancel()))
  },
)
