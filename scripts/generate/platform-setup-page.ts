import type { Auth } from '../../connectors/src/kit/auth.ts'
import type { Guide, GuideStep, GuideValue, Words } from '../../connectors/src/kit/guide.ts'
import { appSetting } from '../../contract/src/platforms.ts'
import { generatedFrom } from './file-generator.ts'

type Subject = { platform: string; name: string; guide: Guide; auth: Auth }

/** From nothing to the first post: the same guide that the assistant of the web app shows, in English. */
export function setupPage({ platform, name, guide, auth }: Subject): string[] {
  const { facts, app, review } = guide
  return [
    `<!-- ${generatedFrom(`connectors/src/${platform}/guide.ts`)} -->`,
    `# Set up ${name}`,
    '',
    english(guide.summary),
    '',
    '| | |',
    '|---|---|',
    `| Who can connect before a review | ${english(facts.who)} |`,
    `| Costs | ${english(facts.money)} |`,
    `| Waiting | ${english(facts.wait)} |`,
    `| What ends a connection | ${english(facts.ends)} |`,
    '',
    app === null
      ? 'An operator has nothing to do here.'
      : 'An operator sees this page with the addresses of the installation, ready to copy, under *Settings → Platforms*.',
    '',
    '## To the first post',
    '',
    ...guide.steps.flatMap((step, n) => stepLines(step, n + 1, { platform, auth })),
    ...(app === null ? [] : enterLines(app, { platform, name, number: guide.steps.length + 1 })),
    ...(review === null
      ? []
      : [
          '## Through the review',
          '',
          english(review.intro),
          '',
          ...review.steps.flatMap((step, n) => stepLines(step, n + 1, { platform, auth })),
        ]),
    '## If something fails',
    '',
    '| What you see | What to do |',
    '|---|---|',
    ...guide.problems.map(({ sign, cure }) => `| ${english(sign)} | ${english(cure)} |`),
    '',
    '## Sources',
    '',
    `Read on ${guide.checkedOn}. Consoles change: a button may have another name by now.`,
    '',
    ...guide.sources.map(({ url, on }) => `- <${url}>, as of ${on}`),
  ]
}

function english({ en }: Words): string {
  return en.replaceAll(/\*([^*]+)\*/g, '**$1**')
}

type Place = { platform: string; auth: Auth }

function stepLines({ title, text, values = [], paste = [] }: GuideStep, number: number, place: Place): string[] {
  return [
    `### ${number}. ${title.en}`,
    '',
    ...text.flatMap((words) => [english(words), '']),
    ...(values.length === 0
      ? []
      : ['| What | Value |', '|---|---|', ...values.map((value) => `| ${valueNames[value]} | ${valueOf(value, place)} |`), '']),
    ...paste.flatMap(({ label, text: given }) => [
      `${label.en}:`,
      '',
      `> ${given
        .replaceAll('{name}', '`<name>`')
        .replaceAll('{site}', '`<CARILLON_PUBLIC_URL>`')
        .replaceAll(/(?<!`)<([^>]+)>(?!`)/g, '`<$1>`')}`,
      '',
    ]),
  ]
}

const valueNames: Readonly<Record<GuideValue, string>> = {
  redirectUrl: 'Redirect URL',
  scopes: 'Permissions (scopes)',
  vettedScopes: 'Permissions of the approved app',
  name: 'Name',
  website: 'Website',
  privacyUrl: 'Privacy policy',
  termsUrl: 'Terms of service',
  deletionUrl: 'Data deletion instructions',
  deauthorizeUrl: 'Deauthorize callback URL',
  deletionRequestUrl: 'Data deletion request URL',
}

function valueOf(value: GuideValue, { platform, auth }: Place): string {
  const { scopes = [], vettedScopes = [] } = auth.kind === 'oauth2' ? auth : {}
  const list = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')
  const path = (text: string) => `\`<CARILLON_PUBLIC_URL>${text}\``
  const values: Readonly<Record<GuideValue, string>> = {
    redirectUrl: path(`/integrations/${platform}/callback`),
    scopes: list(scopes),
    vettedScopes: list(vettedScopes),
    name: '`CARILLON_OPERATOR_NAME`',
    website: path(''),
    privacyUrl: path('/legal/privacy'),
    termsUrl: path('/legal/terms'),
    deletionUrl: path('/legal/data-deletion'),
    deauthorizeUrl: path(`/integrations/${platform}/deauthorize`),
    deletionRequestUrl: path(`/integrations/${platform}/data-deletion`),
  }
  return values[value]
}

type Entering = { platform: string; name: string; number: number }

function enterLines({ id, secret }: NonNullable<Guide['app']>, { platform, name, number }: Entering): string[] {
  return [
    `### ${number}. Enter them in Carillon`,
    '',
    `Enter **${id.name}** and **${secret.name}** under *Settings → Platforms → ${name}*, where the platform is asked whether it accepts them, or set`,
    `\`${appSetting(platform)}=<${id.name}>:<${secret.name}>\` and restart. Then connect the first account.`,
    '',
  ]
}
