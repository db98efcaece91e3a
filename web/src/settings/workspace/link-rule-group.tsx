import { dayIn, readDomain, resolveLinkTags, tagLinks } from '@carillon/core'
import type { Workspace } from '@carillon/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../../actions/form.tsx'
import { useChange } from '../../actions/use-change.ts'
import { carillon } from '../../api/client.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { useSubmit } from '../../people/use-submit.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { showToast } from '../../ui/overlay/show-toast.ts'
import { SettingGroup } from '../setting-group.tsx'

type LinkRule = NonNullable<Workspace['utm']>

const parameters = ['source', 'medium', 'campaign', 'content', 'term'] as const
const atFirst = { source: '{platform}', medium: 'social', campaign: '', content: '', term: '' }
const example = { platform: 'platform-name', account: 'account-name' }

/** What is added to links that lead to the workspace's own sites, with an example that follows the fields. */
export function LinkRuleGroup({ workspace, canChange }: { workspace: Workspace; canChange: boolean }) {
  const { t } = useTranslation('settings')
  const queryClient = useQueryClient()
  const [values, setValues] = useState<Record<string, string>>(valuesOf(workspace.utm))
  const { onSubmit, isPending, error, fieldErrors } = useSubmit(
    (typed) => carillon.workspaces.update(workspace.id, { utm: ruleOf(typed) }),
    () => {
      void queryClient.invalidateQueries({ queryKey: ['workspaces.list'] })
      showToast({ title: t('saved') })
    },
  )
  const removal = useChange({
    run: () => carillon.workspaces.update(workspace.id, { utm: null }),
    affects: () => [['workspaces.list']],
    done: () => ({ title: t('saved') }),
    onDone: () => setValues(valuesOf(undefined)),
  })
  const follow = (event: FormEvent<HTMLFormElement>) => {
    const entries = [...new FormData(event.currentTarget)].map(([name, value]) => [name, typeof value === 'string' ? value : ''])
    setValues(Object.fromEntries(entries))
  }
  const errorOf = (field: string) => Object.entries(fieldErrors).find(([path]) => path.startsWith(`utm.${field}`))?.[1]
  return (
    <SettingGroup title={t('linkRule.title')} description={t('linkRule.text')}>
      {/* Without a rule the form begins anew. */}
      <Form key={workspace.utm ? 'on' : 'off'} onSubmit={onSubmit} onChange={follow} className="flex max-w-xl flex-col gap-5">
        {error && <ErrorNotice error={error} hidesDetails={Object.keys(fieldErrors).length > 0} />}
        <Field label={t('linkRule.domains')} hint={t('linkRule.domainsHint')} error={errorOf('domains')}>
          <Input
            name="domains"
            required
            defaultValue={values['domains']}
            placeholder="example.com"
            autoComplete="off"
            spellCheck={false}
            disabled={!canChange}
          />
        </Field>
        {parameters.map((name) => (
          <Field
            key={name}
            label={`utm_${name}`}
            error={errorOf(name)}
            hint={name === 'source' ? t('linkRule.placeholders') : undefined}
          >
            <Input
              name={name}
              required={name === 'source' || name === 'medium'}
              maxLength={100}
              defaultValue={values[name]}
              autoComplete="off"
              spellCheck={false}
              disabled={!canChange}
            />
          </Field>
        ))}
        <p className="text-sm text-quiet">
          {t('linkRule.example')} <code className="block break-all text-ink">{exampleOf(values, workspace.timezone)}</code>
        </p>
        {canChange && (
          <div className="flex flex-wrap gap-2">
            <Button type="submit" isBusy={isPending}>
              {t('linkRule.use')}
            </Button>
            {workspace.utm && (
              <Button onClick={() => removal.mutate(undefined)} isBusy={removal.isPending}>
                {t('linkRule.off')}
              </Button>
            )}
          </div>
        )}
      </Form>
    </SettingGroup>
  )
}

function valuesOf(rule: LinkRule | undefined): Record<string, string> {
  const { domains = [], ...templates } = rule ?? {}
  return { ...(rule ? { campaign: '', content: '', term: '' } : atFirst), ...templates, domains: domains.join(', ') }
}

function ruleOf({
  domains = '',
  source = '',
  medium = '',
  campaign = '',
  content = '',
  term = '',
}: Record<string, string>): LinkRule {
  const list = domains.split(/[\s,;]+/).filter((each) => each !== '')
  const more = Object.entries({ campaign, content, term }).filter(([, template]) => template.trim() !== '')
  return { domains: [...new Set(list)], source, medium, ...Object.fromEntries(more) }
}

/** The link of a post of today to the first of the sites. */
function exampleOf(values: Record<string, string>, timezone: string): string {
  const rule = ruleOf(values)
  const domain = readDomain(rule.domains[0] ?? '') ?? 'example.com'
  const today = dayIn(timezone, Date.now())
  const filled = resolveLinkTags(
    { ...rule, domains: [domain] },
    { ...example, date: today, title: 'Bells' },
    {
      text: { counting: 'codepoints' },
    },
  )
  return tagLinks(`https://${domain}/bells`, filled)
}
