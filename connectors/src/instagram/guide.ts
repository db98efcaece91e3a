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
    en: 'Works today for accounts that you add as testers, without a review. Publish the app, or nobody else sees the posts. Files must be reachable from the internet.',
    de: 'Geht heute für Konten, die du als Tester hinzufügst, ohne Prüfung. Veröffentliche die App, sonst sieht niemand sonst die Beiträge. Dateien müssen aus dem Internet erreichbar sein.',
  },
  facts: metaFacts({
    en: 'Business and creator accounts that accepted an invitation as Instagram tester',
    de: 'Business- und Creator-Konten, die eine Einladung als Instagram-Tester angenommen haben',
  }),
  app: metaApp('Instagram'),
  steps: [
    createAppStep('Manage messaging and content on Instagram'),
    {
      title: { en: 'Set up Instagram login', de: 'Instagram-Login einrichten' },
      text: [
        {
          en: 'In the dashboard: *Customize the Manage messaging and content on Instagram use case* → *API setup with Instagram Login* → *Add all required permissions*. Add the others of this list under *Permissions and features*.',
          de: 'Im Dashboard: *Customize the Manage messaging and content on Instagram use case* → *API setup with Instagram Login* → *Add all required permissions*. Füge die übrigen dieser Liste unter *Permissions and features* hinzu.',
        },
      ],
      values: ['scopes'],
    },
    addressesStep({
      en: '*Set up Instagram business login → Set up*: the redirect URL. Then *Business login settings*: *Deauthorize callback URL* and *Data deletion request URL*.',
      de: '*Set up Instagram business login → Set up*: die Redirect-URL. Dann *Business login settings*: *Deauthorize callback URL* und *Data deletion request URL*.',
    }),
    inviteStep({
      en: '*App roles → Roles → Add People → Instagram Tester* (not *Tester*). The owner accepts at instagram.com/accounts/manage_access under *Tester invites*. The account must be a Business or Creator account; no Facebook page is needed.',
      de: '*App roles → Roles → Add People → Instagram Tester* (nicht *Tester*). Wer das Konto besitzt, nimmt auf instagram.com/accounts/manage_access unter *Tester invites* an. Es muss ein Business- oder Creator-Konto sein; eine Facebook-Seite ist nicht nötig.',
    }),
    publishStep,
    copyStep('Instagram', { en: '*API setup with Instagram Login*', de: '*API setup with Instagram Login*' }),
  ],
  review: { intro: reviewIntro, steps: reviewSteps('Instagram') },
  problems: [
    wrongId('Instagram', { en: '`Invalid platform app`', de: '`Invalid platform app`' }),
    {
      sign: { en: '`Insufficient Developer Role`', de: '`Insufficient Developer Role`' },
      cure: {
        en: 'The account is no Instagram tester, or has not accepted the invitation.',
        de: 'Das Konto ist kein Instagram-Tester oder hat die Einladung nicht angenommen.',
      },
    },
    hiddenPosts,
  ],
  sources: [
    ...metaSources,
    { url: 'https://developers.facebook.com/documentation/instagram-platform/overview', on: '2026-06-30' },
  ],
}
