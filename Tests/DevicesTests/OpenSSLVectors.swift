/// Keys and signatures that OpenSSL 3.0 made: none of it comes from the library that checks them.
enum OpenSSLVectors {
    /// The bytes 0 to 31, base64: what is signed, as text or as bytes.
    static let challenge = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

    static let p256 = """
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAED79O7l3fMLf/A+DL26Bo5wBKzi4ZgaSu8RCygqPIryq+uIORbwqnVBXaTruJ\
        jJf+zsnmg8yrN8QhXaZKg8ag2Q==
        """
    static let p256DEROverText =
        "MEUCIQC8TlDRVJMVOBaJpESG7OtNPY8c3RCTECUD2cdP/DIuewIgclDQGzX0pHIWmEBxThHpgAEoapcaVzsaDEVKMggNX+g="
    static let p256DEROverBytes =
        "MEYCIQCMf3Z0JMYx7hy6CTttMJwkwfKb75xliEX8gkIIU2UHdQIhAICJq76UuKM+QKPIie36KQxpJ3SuXX6YGP+/UqGxMn/w"

    static let rsa2048 = """
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA6/l+W/LLtLJUpHq3IIZqQnEi926n8AwuGWlMOpYin1GNofnbmkOl\
        Z0cWArgCNC7m4T9T7naCcv96LfdJipM2e3oFtodJQWle8EjmE5r02l/S4pptec7GxEcs9B608xL6G38OdYHNryn6pMRU2xZF\
        ZfXbI3KjbaLlyZ4d0TvWRNsXELwnCugOGvcvB7M6D2yFee2Yq5kscgYtYbDbIF71jBNOPxL8eGxHVOKMdnhWFYdMZlir0Qf7\
        QeJrmOFxIWJ4BphXOUd0HRDtcaaw+LfKWT0JUbTRysIZswUsG6ekn5fjqGAUrv7/flQvEqxDVItAmh/WipJ8DO8WIDK0x7ws\
        twIDAQAB
        """
    static let rsa2048PKCS1OverText = """
        j4SGNcRg+jMdOqlSE93feXHhKX1rEyeifgWh42JDhVkEmrw4h3Ryz3qLOJI/CXqBMQbLHTJKiDn0PaHbef8raEK94sRAwztA\
        DUVDyZ+nxi5icOF2TEtqG40VUW0CP7Ou/28hjP5KCfdBVk/56bwiaWyZO6vRFT6740tSlwD2Ft/his/Cz4cED4bggtc24p68\
        jrQL8+yeUBpmAGIW9nhOM2wYNhYQ9xNHF/a2Sv0d5UTTBojYz9Lr8oYFqsrTM5Vfvvv524a78cTA6V0k0uXupAFbhvEVD4V8\
        yb4zARhZtPpeXklMs9iX9YzJL+zBDnLBc0rPbnbeu5DfgemF7xLn/A==
        """
    static let rsa2048PKCS1OverBytes = """
        6bnSYs23IWuszyXnrT9PMsAiuSq2y1ibWm4t7ClX+ZG4X2hEh5P3fDlxsVZcD9YZ334RxKYrgzOYWMrVniypWDDpSU5wb3qL\
        tVd8JnoFbeMCR7Bj5n13Gww908pobhr6JdoPJiOs2jjil3w+8GeN2YzL1xWfYMWIxaPobYliaLB2nvX6ZWdqjxgETDkf+1ql\
        1rCzXd8MKyzP8DWSFXdxRgKNaeN+ZmcZ08YWO5ZWwQg2+U1f3A7XH/AK1rr6e6F+WiJ16zjHqafO2pDe45jUrVUttoQMZMyv\
        oRFaUJLVdxupKqPE8And6bVkRVQZ7nA5wqjsw97JQee+zd0K5zb6jg==
        """
    /// With SHA-1: not taken.
    static let rsa2048SHA1 = """
        wZsRfe/4ZNSnLuX1Ek4A3A0lMJ3ED4SKp70xmhBGiecZKcp4eLumkqoGW5fpB7XuvIPLHi4SCVaSDgFAIh8DjhWk1JbnF4dT\
        X7ZoqWXpgIu7MNTzJ9Zco2tt0Tgpi9H6HO+wQq3ZOVVnsziHeK+bV3iaCFCRlUBNZW33FpYg9YDZGc5Ubw8Ldt5Kdp2CtvwV\
        W/mo6R1vN3dg/lXJOU+/AZvGGMsBfawC9cMNd/x3n5PCvV0tNwgiPHGkLayFLUI17EpIcrZDdrCij3/smz50yV9HPRvrpInB\
        YzitDz1N2XXTU+vFWJShLPSGmXQwbTieaCFMV8MIm3skWoU/eD74Sw==
        """

    static let rsa3072 = """
        MIIBojANBgkqhkiG9w0BAQEFAAOCAY8AMIIBigKCAYEAq9WptZ6F3ziixfDyAZ0OaoT56LOfjS9LE0pT6ixfovXZHEGNAqVf\
        uWs4laZKpV1LNurPl076trz7jtln0XZRTKQK4q0kvB6NyXUTvaPad5wIIaiOkmyDjm6/aYBjoFXC2FWaRNxKMrxLZ6nZ6chu\
        OnuUjb2jlVBN9zbRfhXEw7W3x4+GcAalgOC5RNG43NjPDRpAWValk/GzsYRGZmd0klIQEE4hT7jCz6fdPSkv8ip/rgPoEFHD\
        FYGa6M285HGDl3rLkL7ChhO7mPoprS6M0x4zb9GHvAwxDj40qNVfHAGNkrXzlU6q3txYzlQytQFkmiS6Yla96oFyXbTFeX8K\
        0lCyUt/MPHmRS+1isht45KpQM8d14g7kP8fw2gb6mDLdQliTZaJ/3Xk8Y0cmhhm7wyT5ECL8oFcdvE/oidtN+Pna+eYS5Yx7\
        M3TZWWcXXTj0g3kBoe2Ur+exyFx5zA5wU8D6QoeV1VRM95hFCARw7f69WHYnO04wOuMxqmBMgEYHAgMBAAE=
        """
    /// With a salt of 32 bytes.
    static let rsa3072PSSOverText = """
        ORETWedEorDo3rpB3i1sfLigTBUIEgWcbHHJityYm+SM+8MBGA1UN3v6kGqy4tOtNjyWLWvsM9azGKZpn47f0lFFyo5DdrTh\
        STmTli7ZxqZLmeDVRpK4spih1sgm84As3E7/V8GXtmDqWRNjiMK/AvFb6p3MrhEMoyp3Ti1Tvsd4Gp4o/nikUeXsazCG3/W2\
        2w6llIkS0YCEuOvbjdJM754RJNOpkVtCqELvjoOJ1PDR0YQLMR65oBzRksjT716hDZEwwAY9dVlYkBJ0UPybDmquwXWNrvGt\
        1PcixJkwneNxTDWVZepj10AaznbdcFRGHnvC8Vrt/VXU5Nj77IFfJrwpWI/1eAmE7UEzW+DSYva9ARU9EvdK6ehvWJb/bRwA\
        TVnDtXU/JQZPK0HfENYhy+riUJhTrcuKzAlHH4eFU45c+ongZw3+A6NU/HOLbeem7plG6PfylYFzJDY26oR72OCit6MmJxl+\
        kTMZhwjF7TVda7pDKMxPzJQ2P9QnADLX
        """
    static let rsa3072PSSOverBytes = """
        bVGeoTpzxG05V+9tdQhAAgzDxcYAPqjXQ/Ced4d7pTcrrlEQEuj5dzSXQa73HqXoA8tM6tdBVd2gxigc5IekpXtEo2TmI3cZ\
        bS6UbGQsT72HA8yyNovBopgYGPsHLWQYFsgTDzI6NT6IGOKcnVn07qWx+9cp5sLpZ0ZUVY6NKY2StmSEltZEp7neX0Aettcl\
        7J9iPp5hnnREfxoAVjROTiNpzlKDLgV8xQ5cF5VtC7s1xtI3vuEqjF6B8H9HpgLZu0shMYrrxQh8QCk4WS65FZKWrAuHDyec\
        t137QtIUxaEMZ0ptu1yORCZGyH1ruFQnb27a+sDroqPaTwBDXvuGT+Zh8X198Lse2CQ7r+KiZHgzFok7Fr5mc5grVNUTLlLG\
        d1ssPMqsaakxy7x1ZID6jydkzAMMmkoYzNXAdgz6jCBNrhqeEfS+PSCJe0B9amaiFHZq83Usx0/RJ5slFpB0iT9CK1Qd6953\
        G8W+rUQUde9SEsSlebTcydtxiqC4+kHQ
        """
    /// With the longest salt that fits: not taken.
    static let rsa3072PSSLongSalt = """
        BO5D/KOCtVfBoeKWPeNq1H8OTO6VzbrZbmS7r0VdStbcJMiAXrn2APbLMgVDY8jlN5CHQ1iuAw2auwUjfue7NmugB8UiJala\
        Vvcw7F2rXWFmLAakB0W39ygewC2KD2WhfNfhKPuUS/gf238RMtCClthBJ0EuEYlztJCBO3zIYSi+DiH8cS3IkM2zrQiCd0AX\
        xvMBwTyPZB+nXzPUCayNQszheI7neqbSfTzFLbdX//se8IFbfzT8BU/6/CgWN3qybZlgx7p6opL9m0Hi/xbY9XfQG87MKX/X\
        1y0uhbo/fBldZWQN+a+Z05hW/R0Q3gBVV/DuBHE3koxZV3wl0WK1Mm0RpBq99extOYhWqgYtmieC+j2B1jWmF58q7VGG/35I\
        /iuDTGEkZBYb9QZSsxNf+jWWQ6Kn71MglK2mQ5pGJsPDKlKEfPUuj7RcmZm1HAoVoQdlVrILxpPRVxo41Fg69Lscsx4JS95C\
        xfh8fhOnzbwx1RuKmuv5y0EauU2fdM/t
        """
    /// Without a salt: not taken.
    static let rsa3072PSSNoSalt = """
        hX/aLJE/2v8OlafKIT5Yz0vccwEfoEohlIz0+em/WX/DQD29pN47881rSo6xzsH6jffog/vuUv5bsD1tZv3ocex8d7RX+xvJ\
        waJLQ6eB46VcG5aLDG1JPJ9tLHuLmJLSwDxgmS/tBp/LtYgwTnthEeWWOgHSFlt3WhW5HEMdELh+4a+qf9Az47ecU9x6UK9F\
        vg+XvNHbOrzK7DC7PXW60vZh1KW1Bo6s6i6f4C5Zr1ji5dSgkP3lKqzcRLshB0hfy7LTYyKGf8qIxluz6LcMUewXEEnnE+Gs\
        tFZ9TyAM2R9ueOYgbxEBQTD7cVF3ezApmdwn+bkZz5EgwIGsY/9SrgGqo6jG4rwYuxoDjmJ4KsPPVcn4kizZHvlIgLGUER71\
        JWTP4BNwJbbJYOudg676l5AO8RfHr20qFuFHX0flUON41R6Lw+O9opB0lkxpe66/sCtQMSDb6g5aBnIyUKXssVQDmm+WdVzx\
        En0qS3fioARXhqFOfuLPDOfhx0s1TECh
        """
}
