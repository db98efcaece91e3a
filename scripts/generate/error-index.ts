import { channelErrors, requestErrors } from '../../contract/src/errors.ts'
import { generatedFrom, type Job } from './job.ts'

/** The list of all codes, in front of the pages that explain them. */
export const errorIndex: Job = {
  name: 'error index',
  make: () => [{ path: 'docs/errors/README.md', text: `${page().join('\n')}\n` }],
}

function page(): string[] {
  return [
    `<!-- ${generatedFrom('contract/src/errors.ts')} -->`,
    '# Errors',
    '',
    'Every refusal has a `code` that never changes its meaning, a sentence for a person, an `action` and a `traceId`. Go by the code where you',
    'know it, by `action` and the HTTP status where you do not: new codes may be added.',
    '',
    '| `action` | What to do next |',
    '|---|---|',
    '| `fix_request` | Change the request; the same one will be refused again |',
    '| `reconnect` | Connect the account again under Integrations |',
    '| `upgrade_plan` | Choose a larger plan, or wait for the next month |',
    '| `wait` | Wait as long as `Retry-After` says, then send the same request |',
    '| `retry` | Send the same request again |',
    '| `check_platform` | Look at the platform itself before doing anything |',
    '| `contact_support` | Tell whoever runs your Carillon, with the `traceId` |',
    '',
    '## A request is refused',
    '',
    '| Code | Status | Action | Can the same request succeed later? | Message |',
    '|---|---|---|---|---|',
    ...Object.entries(requestErrors).map(
      ([code, { status, action, retryable, message }]) =>
        `| [\`${code}\`](${code}.md) | ${status} | \`${action}\` | ${retryable ? 'yes' : 'no'} | ${message} |`,
    ),
    '',
    '## A channel fails',
    '',
    'The request was accepted, and one platform did not publish. The code is in `channels[].result.error.code`.',
    '',
    '| Code | Action | Can a retry succeed? | Message |',
    '|---|---|---|---|',
    ...Object.entries(channelErrors).map(
      ([code, { action, retryable, message }]) =>
        `| [\`${code}\`](${code}.md) | \`${action}\` | ${retryable ? 'yes' : 'no'} | ${message} |`,
    ),
  ]
}
