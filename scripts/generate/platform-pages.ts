import type { Manifest } from '../../contract/src/manifest.ts'
import { formatBytes } from '../../core/src/format-number.ts'
import { manifests } from '../../connectors/src/manifests.ts'
import { generatedFrom, type FileGenerator } from './file-generator.ts'
import { formatSpan, mediaRows, textRows } from './platform-limits.ts'
import { describeFeatures, handleSentences } from './platform-words.ts'

const folder = 'docs/platforms'

/** A page for every manifest, and a table that compares them. */
export const platformPages: FileGenerator = {
  name: 'platform pages',
  ownsFolder: folder,
  make() {
    const all: Manifest[] = Object.values(manifests)
    const pages = all.map((manifest) => ({ path: `${folder}/${manifest.platform}.md`, lines: page(manifest) }))
    return [{ path: `${folder}/README.md`, lines: overview(all) }, ...pages].map(({ path, lines }) => ({
      path,
      text: `${lines.join('\n')}\n`,
    }))
  },
}

function page(manifest: Manifest): string[] {
  const { platform, name, checkedOn, api, formats, handle, rate, metrics } = manifest
  const { can, cannot } = describeFeatures(manifest)
  const rates = [
    ...rate.perConnection.map((each) => `- One account: ${formatRate(each)}.`),
    ...rate.perApp.map((each) => `- All accounts connected through the same developer app together: ${formatRate(each)}.`),
  ]
  return [
    `<!-- ${generatedFrom(`connectors/src/${platform}/manifest.ts`)} -->`,
    `# ${name}`,
    '',
    `Checked against the platform's own pages on ${checkedOn}. API version \`${api.version}\`, ${sunset(api.sunset)}.`,
    '',
    `Formats: ${formats.map((format) => `\`${format}\``).join(', ')}.`,
    '',
    '## Limits',
    '',
    '| What | Limit |',
    '|---|---|',
    ...[...textRows(manifest), ...mediaRows(manifest)].map(([what, limit]) => `| ${what} | ${limit} |`),
    '',
    'A post that breaks a limit is refused before anything is sent, with [`post_invalid`](../errors/post_invalid.md). A draft is saved, with',
    'the same messages as warnings.',
    '',
    '## Features',
    '',
    ...can.map((sentence) => `- ${sentence}`),
    ...cannot.map((sentence) => `- ${sentence}`),
    '',
    '## Rate limits',
    '',
    ...(rates.length > 0
      ? [...rates, '', 'Carillon delays posts to stay below the limit, and sends them as soon as the limit allows.']
      : ['The platform publishes no limit.']),
    '',
    '## When a response is lost',
    '',
    handleSentences[handle],
    '',
    '## Metrics',
    '',
    ...metricLines(metrics),
    '',
    '## Sources',
    '',
    ...api.docs.map((url) => `- <${url}>`),
  ]
}

function overview(all: readonly Manifest[]): string[] {
  return [
    `<!-- ${generatedFrom('connectors/src/*/manifest.ts')} -->`,
    '# Platforms',
    '',
    '| Platform | Text | Photos | Video | Document | First comment | Remove | Lost response |',
    '|---|---|---|---|---|---|---|---|',
    ...all.map(({ platform, name, text, photos, video, document, can, handle }) => {
      const cells = [
        `[${name}](${platform}.md)`,
        text.max.toLocaleString('en-US'),
        photos ? `${photos.max}` : 'no',
        video?.bytesMax ? formatBytes(video.bytesMax) : video ? 'yes' : 'no',
        document ? 'yes' : 'no',
        can.firstComment ? 'yes' : 'no',
        can.remove ? 'yes' : 'no',
        `\`${handle}\``,
      ]
      return `| ${cells.join(' | ')} |`
    }),
    '',
    'Each page explains `key`, `reference`, `readback` or `none` under "When a response is lost".',
  ]
}

function sunset(day: string | null): string {
  return day ? `which the platform turns off on ${day}` : 'with no announced end'
}

function formatRate({ count, windowMs }: { count: number; windowMs: number }): string {
  return `${count.toLocaleString('en-US')} posts in ${formatSpan(windowMs)}`
}

function metricLines(metrics: Manifest['metrics']): string[] {
  const found = Object.entries(metrics)
  if (found.length === 0) return ['The platform provides none.']
  return ['| Carillon | Platform |', '|---|---|', ...found.map(([ours, theirs]) => `| ${ours} | \`${theirs}\` |`)]
}
