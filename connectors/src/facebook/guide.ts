import type { Guide } from '../kit/guide.ts'
import {
  addressesStep,
  createAppStep,
  hiddenPosts,
  inviteStep,
  metaApp,
  metaFacts,
  metaSources,
  publishStep,
  reviewIntro,
  reviewSteps,
} from '../meta/guide.ts'

export const guide: Guide = {
  checkedOn: '2026-11-18',
  summary: {
    en: 'Works today for pages of people who have a role on your app, without a review. Publish the app, or nobody else sees the posts. Only pages can be posted to, neither profiles nor groups.',
    de: 'Geht heute für Seiten von Personen, die eine Rolle in deiner App haben, ohne Prüfung. Veröffentliche die App, sonst sieht niemand sonst die Beiträge. Beiträge sind nur auf Seiten möglich, weder in Profilen noch in Gruppen.',
  },
  facts: {
    ...metaFacts({
      en: 'Pages of people who have a role on the app and may create content on the page',
      de: 'Seiten von Personen, die eine Rolle in der App haben und auf der Seite Inhalte erstellen dürfen',
    }),
    ends: {
      en: 'Access to a page has no end date. It ends when the person changes the password, loses the role on the page or removes the app.',
      de: 'Der Zugang zu einer Seite hat kein Enddatum. Er endet, wenn die Person das Passwort ändert, die Rolle auf der Seite verliert oder die App entfernt.',
    },
  },
  app: metaApp(null),
  steps: [
    createAppStep('Manage everything on your Page'),
    {
      title: { en: 'Add the permissions', de: 'Berechtigungen hinzufügen' },
      text: [
        {
          en: '*Use cases → Customize*: add each of these under *Permissions and features*. Without `business_management`, pages that belong to a business are missing from the list.',
          de: '*Use cases → Customize*: füge jede davon unter *Permissions and features* hinzu. Ohne `business_management` fehlen Seiten, die zu einem Unternehmen gehören, in der Liste.',
        },
      ],
      values: ['scopes'],
    },
    addressesStep({
      en: '*Facebook Login → Settings*: *Valid OAuth Redirect URIs* and *Deauthorize callback URL*. Then *App settings → Basic → User data deletion → Data deletion callback URL*.',
      de: '*Facebook Login → Settings*: *Valid OAuth Redirect URIs* und *Deauthorize callback URL*. Dann *App settings → Basic → User data deletion → Data deletion callback URL*.',
    }),
    inviteStep({
      en: '*App roles → Roles → Add People → Tester*. The person accepts at developers.facebook.com/requests. On the page they need full access, or the task *Content*.',
      de: '*App roles → Roles → Add People → Tester*. Die Person nimmt auf developers.facebook.com/requests an. Auf der Seite braucht sie vollen Zugriff oder die Aufgabe *Content*.',
    }),
    publishStep,
    {
      title: { en: 'Copy id and secret', de: 'ID und Secret kopieren' },
      text: [
        {
          en: 'Copy *App ID* and *App secret* from *App settings → Basic*. Those of Instagram and Threads are others.',
          de: 'Kopiere *App ID* und *App secret* aus *App settings → Basic*. Die von Instagram und Threads sind andere.',
        },
      ],
    },
  ],
  review: { intro: reviewIntro, steps: reviewSteps('Facebook') },
  problems: [
    {
      sign: { en: '`URL blocked`', de: '`URL blocked`' },
      cure: {
        en: 'The redirect URL in *Valid OAuth Redirect URIs* differs from this one, if only by a letter.',
        de: 'Die Redirect-URL in *Valid OAuth Redirect URIs* weicht von dieser ab, und sei es um einen Buchstaben.',
      },
    },
    {
      sign: { en: 'A page is missing from the list', de: 'Eine Seite fehlt in der Liste' },
      cure: {
        en: 'Connect again and choose *Edit settings* in the dialog: each page must be ticked there. The person must be allowed to create content on it.',
        de: 'Verbinde noch einmal und wähle im Dialog *Edit settings*: jede Seite muss dort angekreuzt sein. Die Person muss dort Inhalte erstellen dürfen.',
      },
    },
    hiddenPosts,
  ],
  sources: [
    ...metaSources,
    { url: 'https://developers.facebook.com/docs/pages-api/posts', on: '2026-09-11' },
    { url: 'https://developers.facebook.com/docs/facebook-login/guides/access-tokens/get-long-lived', on: '2026-09-11' },
  ],
}
