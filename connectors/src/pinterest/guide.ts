import { oneOrganisationText, serviceText, type Guide, videoWords } from '../kit/guide.ts'

export const guide: Guide = {
  checkedOn: '2026-11-19',
  summary: {
    en: 'A new app has Trial access: it makes pins in a sandbox only, where nobody but their author sees them. Standard access wants a video.',
    de: 'Eine neue App hat Trial access: Sie legt Pins nur in einer Sandbox an, wo niemand außer dem Autor sie sieht. Standard access verlangt ein Video.',
  },
  facts: {
    who: {
      en: 'Everybody with Standard access. Before that, everybody in the sandbox.',
      de: 'Alle, mit Standard access. Vorher alle in der Sandbox.',
    },
    money: { en: 'None', de: 'Keine' },
    wait: {
      en: 'Days for each of the two steps; often refused for the video',
      de: 'Tage für jeden der zwei Schritte; oft wegen des Videos abgelehnt',
    },
    ends: {
      en: 'The person removes the app, or nothing renews the permission for 60 days. Carillon renews it earlier.',
      de: 'Die Person entfernt die App, oder 60 Tage lang erneuert nichts die Berechtigung. Carillon erneuert sie früher.',
    },
  },
  app: {
    id: {
      name: 'App ID',
      mistakes: [
        {
          pattern: /\D/,
          words: {
            en: 'An app id has digits only. It stands below the name of the app in *My apps*.',
            de: 'Eine App-ID besteht nur aus Ziffern. Sie steht in *My apps* unter dem Namen der App.',
          },
        },
      ],
    },
    secret: {
      name: 'App secret key',
      mistakes: [
        {
          pattern: /^pin[acr]_/,
          words: {
            en: 'This is an access token. The secret is *App secret key*.',
            de: 'Das ist ein Zugriffstoken. Das Secret ist *App secret key*.',
          },
        },
      ],
    },
  },
  steps: [
    {
      title: { en: 'Have a business account', de: 'Ein Unternehmenskonto haben' },
      text: [
        {
          en: 'Only a business account of Pinterest can have an app; an account is changed to one in *Settings → Account management*. It also needs a website and a privacy policy.',
          de: 'Nur ein Unternehmenskonto von Pinterest kann eine App haben; ein Konto wird in *Settings → Account management* dazu gemacht. Es braucht auch eine Website und eine Datenschutzerklärung.',
        },
      ],
      values: ['website', 'privacyUrl'],
    },
    {
      title: { en: 'Ask for an app', de: 'Eine App beantragen' },
      text: [
        {
          en: 'Open developers.pinterest.com/apps, choose *Connect app* and fill in the form. Pinterest looks at it; until then the secret is hidden.',
          de: 'Öffne developers.pinterest.com/apps, wähle *Connect app* und fülle das Formular aus. Pinterest prüft es; bis dahin ist das Secret verborgen.',
        },
      ],
      paste: [serviceText, oneOrganisationText],
      values: ['name'],
    },
    {
      title: { en: 'Enter the redirect URL and copy id and secret', de: 'Redirect-URL eintragen, ID und Secret kopieren' },
      text: [
        {
          en: '*Manage → Configure → Redirect URIs*. The *App secret key* is on the same page. The permissions need no setting: people agree to them when they connect.',
          de: '*Manage → Configure → Redirect URIs*. Der *App secret key* steht auf derselben Seite. Die Berechtigungen muss man nicht einstellen: man stimmt ihnen beim Verbinden zu.',
        },
      ],
      values: ['redirectUrl', 'scopes'],
    },
    {
      title: { en: 'Use the sandbox', de: 'Die Sandbox benutzen' },
      text: [
        {
          en: 'Set `CARILLON_SANDBOXES` to `pinterest` and restart. Connect an account, make a board there that is not shared with anybody, and publish. The pins are on its profile, and only its owner sees them.',
          de: 'Setze `CARILLON_SANDBOXES` auf `pinterest` und starte neu. Verbinde ein Konto, lege darin eine Pinnwand an, die mit niemandem geteilt ist, und veröffentliche. Die Pins stehen auf dem Profil, und nur dessen Inhaber sieht sie.',
        },
      ],
    },
  ],
  review: {
    intro: {
      en: 'Standard access is asked for with a video. Most requests are refused because it does not show the whole sign-in, or no pin that is made.',
      de: 'Standard access wird mit einem Video beantragt. Die meisten Anträge scheitern, weil es nicht die ganze Anmeldung zeigt oder keinen Pin, der entsteht.',
    },
    steps: [
      {
        title: { en: 'Record it against the sandbox', de: 'In der Sandbox aufnehmen' },
        text: [
          videoWords,
          {
            en: 'Show both: the consent page of Pinterest with the address bar, and a pin that is made in Carillon and then opened on Pinterest.',
            de: 'Zeige beides: die Zustimmungsseite von Pinterest mit der Adresszeile und einen Pin, der in Carillon entsteht und dann auf Pinterest geöffnet wird.',
          },
        ],
      },
      {
        title: { en: 'Ask for Standard access', de: 'Standard access beantragen' },
        text: [
          {
            en: 'In *My apps*: *Upgrade access*. Say that people publish their own new content only; saving what others made is another use.',
            de: 'In *My apps*: *Upgrade access*. Schreibe, dass man nur eigene neue Inhalte veröffentlicht; Inhalte anderer zu merken ist eine andere Nutzung.',
          },
        ],
      },
      {
        title: { en: 'Leave the sandbox', de: 'Die Sandbox verlassen' },
        text: [
          {
            en: 'Take `pinterest` out of `CARILLON_SANDBOXES`, restart, and connect the accounts again: the two servers take no tokens of each other.',
            de: 'Nimm `pinterest` aus `CARILLON_SANDBOXES`, starte neu und verbinde die Konten noch einmal: Die zwei Server nehmen keine Tokens voneinander an.',
          },
        ],
      },
    ],
  },
  problems: [
    {
      sign: {
        en: '`Apps with Trial access may not create Pins in production`',
        de: '`Apps with Trial access may not create Pins in production`',
      },
      cure: {
        en: 'The app has no Standard access yet. Use the sandbox, and connect the accounts again.',
        de: 'Die App hat noch keinen Standard access. Benutze die Sandbox und verbinde die Konten noch einmal.',
      },
    },
    {
      sign: {
        en: 'Every account has to be connected again after a change',
        de: 'Nach einer Änderung muss jedes Konto neu verbunden werden',
      },
      cure: {
        en: 'They were connected in the sandbox, or outside of it. Tokens are valid on one of the two only.',
        de: 'Sie wurden in der Sandbox verbunden, oder außerhalb. Tokens gelten nur auf einem der beiden Server.',
      },
    },
    {
      sign: { en: 'A board is missing', de: 'Eine Pinnwand fehlt' },
      cure: {
        en: 'Secret boards and those for ads are not offered. A new board is there after a minute.',
        de: 'Geheime Pinnwände und solche für Anzeigen werden nicht angeboten. Eine neue Pinnwand ist nach einer Minute da.',
      },
    },
  ],
  sources: [
    { url: 'https://developers.pinterest.com/docs/developer-tools/sandbox/', on: '2026-11-19' },
    { url: 'https://developers.pinterest.com/docs/developer-tools/quickstart-tools/', on: '2026-11-17' },
    { url: 'https://developers.pinterest.com/docs/key-concepts/access-tiers/', on: '2026-11-14' },
    { url: 'https://github.com/gitroomhq/postiz-app/issues/1084', on: '2026-11-17' },
  ],
}
