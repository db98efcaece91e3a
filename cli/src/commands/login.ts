import type { Carillon, Workspace } from '@carillon/sdk'
import { UsageError } from '../cli-error.ts'
import { isCarillonError } from '../describe-failure.ts'
import { defineCommand } from '../line/command.ts'
import { flag, optionalText } from '../line/option.ts'
import { cleanText } from '../output/clean-text.ts'
import { signInWithBrowser } from '../profiles/browser-sign-in.ts'
import { defaultProfile, writeProfile } from '../profiles/profiles.ts'
import { isReadableByOthers, readAddress } from '../profiles/read-address.ts'
import type { Terminal } from '../terminal.ts'

export const login = defineCommand({
  details:
    'Asks for the address of your Carillon and for an API key, checks them, and keeps them for the other commands in a file that only you can ' +
    'read. With --browser, or without a key, you allow the access on a page instead, on this or on another device: there you choose the ' +
    'workspace and what the commands may do, and you can end it at any time. Keys are made in the web app under Integrations → API keys. ' +
    'Without a terminal, give the key on standard input or in CARILLON_API_KEY.',
  examples: [
    'carillon login https://carillon.example',
    'carillon login https://carillon.example --browser',
    'carillon login https://carillon.example --key-stdin <key.txt',
    'carillon login https://other.example --profile other',
  ],
  words: { placeholder: '[ADDRESS]', about: 'What you open in a browser, such as https://carillon.example.', min: 0, max: 1 },
  options: {
    browser: flag({ about: 'Sign in on a page, without an API key.' }),
    'key-stdin': flag({ about: 'Read the API key from standard input.' }),
    workspace: optionalText({ placeholder: 'ID', about: 'The workspace, if the key has access to several.' }),
    profile: optionalText({ placeholder: 'NAME', about: `Under which name to keep it. Without it: ${defaultProfile}.` }),
  },
  async run({ browser, 'key-stdin': fromInput, workspace: wanted, profile: name }, [word], { terminal }) {
    const { env } = terminal
    const profile = name ?? defaultProfile
    const url = readAddress(word ?? env['CARILLON_URL']?.trim() ?? (await askAddress(terminal)))
    if (isReadableByOthers(url)) terminal.note(`${url} is not encrypted: others in the network can read the API key.`)
    const apiKey = browser ? '' : await readKey(fromInput, terminal)
    const { createCarillon } = await import('@carillon/sdk')
    if (apiKey === '') {
      if (wanted !== null) throw new UsageError('You choose the workspace on the page, so leave --workspace away.')
      const tokens = await signInWithBrowser(url, terminal)
      await writeProfile(env, profile, { url, ...tokens })
      const found = await createCarillon({ baseUrl: `${url}/api`, apiKey: tokens.apiKey }).workspaces.get(tokens.workspaceId)
      return {
        data: { profile, url, workspaceId: tokens.workspaceId, workspace: found.name },
        text: `Signed in at ${url}, workspace ${cleanText(found.name)}.`,
      }
    }
    const carillon = createCarillon({ baseUrl: `${url}/api`, apiKey })
    const { id: workspaceId, name: workspace } = await findWorkspace(carillon, wanted, terminal)
    await writeProfile(env, profile, { url, apiKey, workspaceId })
    return {
      data: { profile, url, workspaceId, workspace },
      text: `Signed in at ${url}, workspace ${workspace === null ? workspaceId : cleanText(workspace)}.`,
    }
  },
})

async function askAddress(terminal: Terminal): Promise<string> {
  if (!terminal.isInteractive) throw new UsageError('The address is missing. Write: carillon login https://carillon.example')
  return terminal.ask('Address of your Carillon: ')
}

async function readKey(fromInput: boolean, terminal: Terminal): Promise<string> {
  const key = await findKey(fromInput, terminal)
  // Nothing typed: a person without a key signs in with a browser.
  if (key === '' && terminal.isInteractive && !fromInput) return ''
  if (!/^sk_\w+$/.test(key)) throw new UsageError('This is not an API key: it begins with sk_ and has no spaces.')
  return key
}

async function findKey(fromInput: boolean, terminal: Terminal): Promise<string> {
  if (fromInput) return (await terminal.readInput()).trim()
  const given = terminal.env['CARILLON_API_KEY']?.trim()
  if (given) return given
  if (terminal.isInteractive) return terminal.askSecret('API key (not shown), or nothing to sign in with a browser: ')
  throw new UsageError('The API key is missing. Give it on standard input with --key-stdin, or in CARILLON_API_KEY.')
}

type Known = { id: string; name: string | null }

async function findWorkspace(carillon: Carillon, wanted: string | null, terminal: Terminal): Promise<Known> {
  try {
    if (wanted !== null) return await carillon.workspaces.get(wanted)
    return await chooseWorkspace(await carillon.workspaces.list({ limit: 100 }), terminal)
  } catch (error) {
    if (!isCarillonError(error) || error.code !== 'scope_missing') throw error
    // A narrow key is a good key. It is valid, and that is all that it tells.
    if (wanted !== null) return { id: wanted, name: null }
    throw new UsageError(
      'This API key may not read workspaces, so name yours: --workspace ID. It is in the address of its pages after /w/.',
    )
  }
}

async function chooseWorkspace(workspaces: readonly Workspace[], terminal: Terminal): Promise<Known> {
  const [first, ...others] = workspaces
  if (first === undefined) throw new UsageError('This API key has access to no workspace.')
  if (others.length === 0) return first
  const list = workspaces.map(({ id, name }, at) => `  ${at + 1}  ${id}  ${cleanText(name)}`).join('\n')
  if (!terminal.isInteractive)
    throw new UsageError(`The API key has access to several workspaces. Name one with --workspace:\n${list}`)
  terminal.note(list)
  const chosen = workspaces[Number(await terminal.ask('Number of the workspace: ')) - 1]
  if (chosen === undefined) throw new UsageError(`Choose a number from 1 to ${workspaces.length}.`)
  return chosen
}
