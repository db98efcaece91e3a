import { CarillonError } from '@carillon/sdk'
import type { Links } from '../links.ts'
import { cleanText } from './third-party.ts'

export type DescribedError = { code: string; message: string; action: string; docUrl: string | null }

/** The first line of the answer to a call that failed. */
export function headlineOf({ code, message, action }: DescribedError): string {
  return action === lostAnswer ? `UNKNOWN (${code}): it may have been carried out. ${message}` : `NOT DONE (${code}): ${message}`
}

/** An error of this server itself. `action` is the next step in words. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  readonly code: string
  readonly action: string

  constructor(code: string, message: string, action: string) {
    super(message)
    this.code = code
    this.action = action
  }
}

/** Whether the tool asks for something that must not happen twice. */
export type ErrorContext = { links: Links | null; isRepeatable: boolean }

const detailsMax = 20
const lostAnswer =
  'Carillon may have carried this out although its answer was lost. Call again with exactly the same arguments: the same call is carried ' +
  'out once. Change nothing in it, and do not tell the person that it failed.'

const nextByCode: Readonly<Record<string, string>> = {
  connection_unknown: 'Call get_context: it lists the slugs of the accounts of this workspace. Do not invent one.',
  connection_needs_reconnect: 'A person must connect the account again on the page Integrations.',
  media_not_found: 'Call find_media for ids of this workspace, or add_media to bring the file in. Do not invent an id.',
  post_not_found: 'Call list_posts for the ids of this workspace. The post may also have been deleted.',
  not_a_draft:
    'Only a draft can be changed. Call get_post to see its state; change_schedule can make a scheduled post a draft again.',
  not_scheduled: 'Only a scheduled post can be moved. Call get_post to see its state.',
  draft_changed: 'Somebody changed the draft in the meantime. Call get_post with detail, show it to the person, and ask again.',
  approval_required:
    'A person must approve it first: call save_draft with submit: true (and the id, if it is a draft), and give them the link in the answer.',
  upload_not_found: 'There is no such ticket. Call add_media with ticket: true for a new one.',
  nothing_to_retry: 'Nothing of this post has failed. Call get_post to see its state.',
  post_invalid: 'Change what the details name; check_post checks without publishing.',
  scope_missing: 'The API key of this server may not do this. A person can create a key with more scopes in Settings → API keys.',
  role_forbidden: 'The API key of this server may not do this.',
  api_key_invalid: 'A person must put a valid API key into the settings of this MCP server.',
  plan_limit_reached: 'Tell the person that the posts of this month are used up.',
  already_publishing: 'It is too late for a change. Call get_post to see the result.',
}

const nextByAction: Readonly<Record<string, string>> = {
  fix_request: 'Change the request.',
  reconnect: 'A person must connect the account again on the page Integrations.',
  upgrade_plan: 'Tell the person that the plan does not allow this.',
  wait: 'Wait a minute, then call again with the same arguments.',
  retry: 'Call again with the same arguments.',
  check_platform: 'A person must look at the platform.',
  contact_support: 'Tell the person; the operator of this Carillon must look at it.',
}

/** Says what went wrong, and what to do next in words. */
export function describeError(error: unknown, { links, isRepeatable }: ErrorContext): DescribedError {
  if (error instanceof ToolError) return { code: error.code, message: error.message, action: error.action, docUrl: null }
  if (!(error instanceof CarillonError))
    return {
      code: 'internal_error',
      message: 'This MCP server failed; its log has the reason.',
      action: 'Tell the person.',
      docUrl: null,
    }
  const details = error.details.slice(0, detailsMax).map(({ path, message }) => `${path}: ${message}`)
  const docUrl = error.docUrl ?? (error.status > 0 ? (links?.errorPage(error.code) ?? null) : null)
  return {
    code: error.code,
    message: cleanText([error.message, ...details].join(' '), { max: 3000 }),
    action:
      isOutcomeOpen(error) && !isRepeatable
        ? lostAnswer
        : (nextByCode[error.code] ?? nextByAction[error.action] ?? 'Tell the person.'),
    docUrl,
  }
}

/** No answer, or one that does not tell whether the request was carried out. */
function isOutcomeOpen({ status, code }: CarillonError): boolean {
  return status === 0 || status >= 500 || code === 'idempotency_in_flight'
}
