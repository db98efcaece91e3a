import type { Me } from '@carillon/sdk'
import { useTranslation } from 'react-i18next'
import { languageNames, languages, type Language } from '../../i18n/language.ts'
import { useChangePreferences } from '../../people/use-change-preferences.ts'
import type { Theme } from '../../theme/theme.ts'
import { Field } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { SettingGroup } from '../setting-group.tsx'
import { ZoneForm } from './zone-form.tsx'

/** Each choice takes effect at once. */
export function PreferenceGroup({ me }: { me: Me }) {
  const { t, i18n } = useTranslation('settings')
  const { t: shell } = useTranslation('shell')
  const { change, changeLanguage, changeTheme } = useChangePreferences(t('saved'))
  return (
    <SettingGroup title={t('profile.preferences')} description={t('profile.preferencesHint')}>
      <div className="grid max-w-xl gap-4 sm:grid-cols-2">
        <Field label={shell('language')}>
          <Select<Language>
            value={i18n.language === 'de' ? 'de' : 'en'}
            onChange={changeLanguage}
            options={languages.map((value) => ({ value, label: languageNames[value] }))}
          />
        </Field>
        <Field label={shell('theme.label')}>
          <Select<Theme>
            value={me.theme ?? 'system'}
            onChange={changeTheme}
            options={[
              { value: 'light', label: shell('theme.light') },
              { value: 'dark', label: shell('theme.dark') },
              { value: 'system', label: shell('theme.system') },
            ]}
          />
        </Field>
        <Field label={t('profile.weekStart')}>
          <Select
            value={me.weekStart ?? 'browser'}
            onChange={(weekStart) => change({ weekStart: weekStart === 'browser' ? null : weekStart })}
            options={[
              { value: 'browser', label: t('profile.asBrowser') },
              { value: 'monday', label: t('profile.monday') },
              { value: 'sunday', label: t('profile.sunday') },
              { value: 'saturday', label: t('profile.saturday') },
            ]}
          />
        </Field>
        <Field label={t('profile.hours')}>
          <Select
            value={me.hourCycle ?? 'browser'}
            onChange={(hourCycle) => change({ hourCycle: hourCycle === 'browser' ? null : hourCycle })}
            options={[
              { value: 'browser', label: t('profile.asBrowser') },
              { value: 'h23', label: t('profile.h23') },
              { value: 'h12', label: t('profile.h12') },
            ]}
          />
        </Field>
      </div>
      <ZoneForm me={me} />
    </SettingGroup>
  )
}
