extension Texts.AuthorizeText {
    static let spanish = Self(
        refused: .init(
            title: "Este inicio de sesión no puede continuar",
            body:
                "La aplicación o el sitio que te envió aquí hizo una petición que no se acepta, así que no se te envió de "
                + "vuelta. No se inició ninguna sesión. Vuelve atrás e inténtalo otra vez; si sigue igual, avisa a quien "
                + "lo gestiona.",
            button: nil
        ),
        code: "Código",
        reason: "Motivo",
        goingBack: .init(
            title: "De vuelta a la aplicación",
            body: "Te enviamos de vuelta. Si no pasa nada, sigue con el botón.",
            button: "Continuar"
        )
    )
}
