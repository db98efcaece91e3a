import type { Guide } from '../kit/guide.ts'

export const guide: Guide = {
  checkedOn: '2026-11-17',
  summary: {
    en: 'Works at once and for everybody: X reviews nothing. It bills each post to your app.',
    de: 'Geht sofort und für alle: X prüft nichts. Jeder Beitrag wird deiner App berechnet.',
  },
  facts: {
    who: { en: 'Everybody', de: 'Alle' },
    money: {
      en: '$0.015 a post, $0.20 with a link, $0.005 for each alt text and for each post whose figures are read; prepaid',
      de: '0,015 $ je Beitrag, 0,20 $ mit Link, 0,005 $ je Bildbeschreibung und je Beitrag, dessen Zahlen gelesen werden; im Voraus bezahlt',
    },
    wait: { en: 'None', de: 'Keine' },
    ends: {
      en: 'The person removes the app, or the app is suspended. If you change its permissions, everybody connects again.',
      de: 'Die Person entfernt die App, oder die App wird gesperrt. Änderst du ihre Berechtigungen, verbinden sich alle neu.',
    },
  },
  app: {
    id: {
      name: 'Client ID',
      mistakes: [
        {
          pattern: /^[A-Za-z0-9]{25}$/,
          words: {
            en: 'This looks like the API Key. Copy the Client ID of OAuth 2.0.',
            de: 'Das sieht nach dem API Key aus. Kopiere die Client ID von OAuth 2.0.',
          },
        },
        {
          pattern: /^AAAAAAAA|^.{80,}$/,
          words: {
            en: 'This looks like the Bearer Token. Copy the Client ID of OAuth 2.0.',
            de: 'Das sieht nach dem Bearer Token aus. Kopiere die Client ID von OAuth 2.0.',
          },
        },
      ],
    },
    secret: { name: 'Client Secret', mistakes: [] },
  },
  steps: [
    {
      title: { en: 'Create the app', de: 'App anlegen' },
      text: [
        {
          en: 'Sign in at console.x.com with the X account of your organisation, accept the Developer Agreement and choose *Create App*. People read its name on the consent page, so give it yours.',
          de: 'Melde dich auf console.x.com mit dem X-Konto deiner Organisation an, nimm das Developer Agreement an und wähle *Create App*. Ihren Namen lesen alle auf der Zustimmungsseite: nimm deinen.',
        },
      ],
      values: ['name'],
    },
    {
      title: { en: 'Switch OAuth 2.0 on', de: 'OAuth 2.0 einschalten' },
      text: [
        {
          en: 'In the app, open the authentication settings (*User authentication settings*). Choose the type *Web App* and the permission *Read and write*. *Native App* and *Single Page App* get no secret.',
          de: 'Öffne in der App die Anmeldeeinstellungen (*User authentication settings*). Wähle den Typ *Web App* und die Berechtigung *Read and write*. *Native App* und *Single Page App* bekommen kein Secret.',
        },
        {
          en: 'Enter these addresses letter by letter and save. The permissions below are asked for by themselves.',
          de: 'Trage diese Adressen Buchstabe für Buchstabe ein und speichere. Die Berechtigungen unten werden von selbst erfragt.',
        },
      ],
      values: ['redirectUrl', 'website', 'termsUrl', 'privacyUrl', 'scopes'],
    },
    {
      title: { en: 'Buy credits', de: 'Guthaben kaufen' },
      text: [
        {
          en: 'Buy credits in the console and set a spending limit. Without credits X refuses every call. Automatic recharging does not start at zero or below, so keep some left.',
          de: 'Kaufe in der Konsole Guthaben und setze ein Ausgabenlimit. Ohne Guthaben lehnt X jeden Aufruf ab. Das automatische Aufladen beginnt nicht mehr bei null oder darunter: lass etwas übrig.',
        },
      ],
    },
    {
      title: { en: 'Copy id and secret', de: 'ID und Secret kopieren' },
      text: [
        {
          en: 'Copy *Client ID* and *Client Secret* of OAuth 2.0; the secret is shown once. API Key, Access Token and Bearer Token are something else.',
          de: 'Kopiere *Client ID* und *Client Secret* von OAuth 2.0; das Secret wird einmal gezeigt. API Key, Access Token und Bearer Token sind etwas anderes.',
        },
      ],
    },
  ],
  review: null,
  problems: [
    {
      sign: { en: 'X says `Callback URL not approved`', de: 'X sagt `Callback URL not approved`' },
      cure: {
        en: 'The address in the console differs from the one above in at least one letter.',
        de: 'Die Adresse in der Konsole weicht von der oben in mindestens einem Buchstaben ab.',
      },
    },
    {
      sign: { en: 'Posts fail because the app has no credits', de: 'Beiträge scheitern, weil die App kein Guthaben hat' },
      cure: { en: 'Buy credits, or raise the spending limit.', de: 'Kaufe Guthaben, oder erhöhe das Ausgabenlimit.' },
    },
    {
      sign: {
        en: 'The app is suspended',
        de: 'Die App wird gesperrt',
      },
      cure: {
        en: 'X does not allow the same text on several accounts, and one app serves one purpose. Its rules also name tools that let their users register apps; ask X before you offer the service to others.',
        de: 'X erlaubt nicht denselben Text auf mehreren Konten, und eine App dient einem Zweck. Die Regeln nennen auch Werkzeuge, die ihre Nutzer Apps registrieren lassen; frage X, bevor du den Dienst anderen anbietest.',
      },
    },
  ],
  sources: [
    { url: 'https://docs.x.com/fundamentals/developer-apps', on: '2026-08-22' },
    { url: 'https://docs.x.com/x-api/getting-started/pricing', on: '2026-08-22' },
    { url: 'https://docs.x.com/developer-terms/restricted-use-cases', on: '2026-08-22' },
  ],
}
