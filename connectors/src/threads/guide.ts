import type { Guide } from '../kit/guide.ts'
import {
  addressesStep,
  copyStep,
  createAppStep,
  hiddenPosts,
  inviteStep,
  metaApp,
  metaFacts,
  metaSources,
  publishStep,
  reviewIntro,
  reviewSteps,
  wrongId,
} from '../meta/guide.ts'

export const guide: Guide = {
  checkedOn: '2026-11-17',
  summary: {
    en: 'Works today for accounts that you add as testers, without a review. Publish the app, so that everybody sees the posts. Files must be reachable from the internet.',
    de: 'Geht heute für Konten, die du als Tester hinzufügst, ohne Prüfung. Veröffentliche die App, damit alle die Beiträge sehen. Dateien müssen aus dem Internet erreichbar sein.',
  },
  facts: metaFacts({
    en: 'Accounts that accepted an invitation as Threads tester',
    de: 'Konten, die eine Einladung als Threads-Tester angenommen haben',
  }),
  app: metaApp('Threads'),
  steps: [
    createAppStep('Access the Threads API'),
    {
      title: { en: 'Add the permissions', de: 'Berechtigungen hinzufügen' },
      text: [
        {
          en: '*Use cases → Customize*: add each of these. `threads_basic` is always there.',
          de: '*Use cases → Customize*: füge jede davon hinzu. `threads_basic` ist immer dabei.',
        },
      ],
      values: ['scopes'],
    },
    addressesStep({
      en: '*Settings* of the use case: the redirect URL (click it after typing, or it is not stored), *Deauthorize callback URL (Uninstall)* and *Data Deletion Requests URL*. The form does not save while one of them is empty.',
      de: '*Settings* des Use Case: die Redirect-URL (nach dem Tippen anklicken, sonst wird sie nicht übernommen), *Deauthorize callback URL (Uninstall)* und *Data Deletion Requests URL*. Solange eine leer ist, speichert das Formular nicht.',
    }),
    inviteStep({
      en: '*Add or Remove Threads Test Users* → *App roles* → *Threads Tester*. The owner accepts at threads.com/settings/website_permissions under *Invites*. Then choose *Finish customization* in the dashboard.',
      de: '*Add or Remove Threads Test Users* → *App roles* → *Threads Tester*. Wer das Konto besitzt, nimmt auf threads.com/settings/website_permissions unter *Invites* an. Wähle danach im Dashboard *Finish customization*.',
    }),
    publishStep,
    copyStep('Threads', { en: '*Settings* of the use case', de: '*Settings* des Use Case' }),
  ],
  review: { intro: reviewIntro, steps: reviewSteps('Threads') },
  problems: [
    wrongId('Threads', { en: '`No app ID was provided`, or error 4476002', de: '`No app ID was provided`, oder Fehler 4476002' }),
    {
      sign: {
        en: '`The user has not accepted the invite to test the app`',
        de: '`The user has not accepted the invite to test the app`',
      },
      cure: {
        en: 'The owner of the account accepts it in the settings of Threads.',
        de: 'Wer das Konto besitzt, nimmt sie in den Einstellungen von Threads an.',
      },
    },
    hiddenPosts,
  ],
  sources: [...metaSources, { url: 'https://developers.facebook.com/documentation/threads/get-started', on: '2026-06-30' }],
}
