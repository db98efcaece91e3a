import type { Tone } from '@carillon/sdk'
import { Hash, PenLine } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { TextArea } from '../../ui/form/text-area.tsx'
import { useCompose } from '../compose-context.ts'
import { fieldOf, postType } from '../state/channel-draft.ts'
import { findHashtags } from './find-hashtags.ts'
import { usePlatformsInScope } from './use-platforms-in-scope.ts'
import type { Ai } from './use-ai.ts'

const tones = ['professional', 'casual', 'humorous', 'inspirational', 'informative'] as const satisfies readonly Tone[]

/** What the model is asked for: a topic beside the text, a tone, and captions or hashtags. */
export function AiForm({ ai }: { ai: Ai }) {
  const { t } = useTranslation('compose')
  const { state } = useCompose()
  const inScope = usePlatformsInScope()
  const { choices, change, captions, hashtags } = ai
  const text = fieldOf(state, state.tab, 'text').trim()
  const platforms = inScope.map(({ platform }) => platform)
  const description = describeFiles(state.files)
  const askForCaptions = () => {
    const material = [text, choices.topic.trim()].filter(Boolean).join('\n\n')
    const title = fieldOf(state, state.tab, 'title')
    captions.mutate({
      uploadType: postType(state.files),
      platforms,
      ...(material !== '' && { text: material }),
      ...(title !== '' && { title }),
      ...(description !== '' && { description }),
      ...(choices.tone !== 'any' && { tone: choices.tone }),
    })
  }
  const askForHashtags = () =>
    hashtags.mutate({ text: text || choices.topic.trim(), platforms, count: 8, existingHashtags: findHashtags(text) })
  const hasMaterial = text !== '' || choices.topic.trim() !== ''
  return (
    <div className="flex flex-col gap-3">
      <div className="grid gap-3 sm:grid-cols-[1fr_12rem]">
        <Field label={t('ai.topic')} hint={text === '' ? undefined : t('ai.topicHint')}>
          <TextArea
            rows={1}
            className="min-h-10"
            maxLength={2000}
            placeholder={t('ai.topicPlaceholder')}
            value={choices.topic}
            onChange={(event) => change({ topic: event.target.value })}
          />
        </Field>
        <Field label={t('ai.tone')}>
          <Select
            options={[
              { value: 'any', label: t('ai.tones.any') },
              ...tones.map((tone) => ({ value: tone, label: t(`ai.tones.${tone}`) })),
            ]}
            value={choices.tone}
            onChange={(tone: Tone | 'any') => change({ tone })}
          />
        </Field>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          size="sm"
          icon={<PenLine aria-hidden />}
          isBusy={captions.isPending}
          disabled={!hasMaterial && state.files.length === 0}
          onClick={askForCaptions}
        >
          {t('ai.suggestCaptions')}
        </Button>
        <Button
          size="sm"
          icon={<Hash aria-hidden />}
          isBusy={hashtags.isPending}
          disabled={!hasMaterial}
          onClick={askForHashtags}
        >
          {t('ai.suggestHashtags')}
        </Button>
      </div>
      {!hasMaterial && <p className="text-sm text-quiet">{t('ai.needsText')}</p>}
    </div>
  )
}

function describeFiles(files: readonly { alt: string }[]): string {
  return files
    .map(({ alt }) => alt.trim())
    .filter(Boolean)
    .join('\n')
    .slice(0, 5000)
}
