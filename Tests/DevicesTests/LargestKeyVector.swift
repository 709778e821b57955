/// The largest key that is taken, made by OpenSSL 3.0, with a signature over ``OpenSSLVectors/challenge``.
enum LargestKeyVector {
    static let rsa8192 = """
        MIIEIjANBgkqhkiG9w0BAQEFAAOCBA8AMIIECgKCBAEArlbDyo6Eh/ULvSJuTWUVjPjVUGu2llEr2AlS6B3ok54KoFIHVaa/\
        bebOdwSYHtQtaJRf8luTCTt0XnuZUN02s+jicvmoRvuWsQXNrIh3PKqEiBj5JJY7k99vR/3cNQbW8NzJ+diRcSXXJK/KCcRv\
        yp9msHr7CglSdpIFeOYIhE1I7EetTpWvTckuFIteOlBbwBNKhrBPZefNUIfiWPaUMhQHimksrqsDho9WVxdITWopJ/0Xs07y\
        lApZIjTlwQOeoGteOW9e0ec6QBzeUwKTaak/RJAJxGW3FRk/rLzJiGmqte/cW586jR/jHBI8prjlyEqm/QBLsUk6dv1ghRgO\
        TGsD+2KYOiHIXlmVOAWdz++Skm++asoWo9pt5xaBiGDdZY7C4FBB6yH+8Y0vnxxV5m/9kG1k5lCwISfFUczqpYW5bRYrOLPQ\
        jwcxznX9tmPP0AdskNvxqr4lZQ0t0ViaiC2hIRTAEH6ZDHNY18Sdg6s1ADwRuvQBsIkq3ubFkngzEgjhKFQ/uUSjGMwbybsO\
        UQeIMjD5IjQUOgEXdsbi4K8sUOOORKYsTXekXv5cr9lct6oEWzCxQ/wvgQHs7SRr1aPYXg7KnQP+KYdof/Cysl0R54a+Y3x1\
        f0+4hQVlzExPNcbFLsHUhalg9I3b/4k28nqYElMdTT+HZy5C7AKM/yNJrkcwhNcSZsY3suHMeQGWbyUAkE6h7Zdu7KEwxZaB\
        FjVElyQ927zLuHiFu7W3OVjKKaBZIXNM6tcFmusAYNL/PtxggmdE1E0jm1FPwIKbW2QluoX1S1+sS9xezJmxIxhWTP8JymBP\
        /chQpYc6aMi0wdleByK698UHLLh2vcnnuvh7E+8DLk4Wp6r5ht8uJsvoREnBTGnRkS+ZxZ9BnkSANWgsHr/Z3UbDJkKWfiw+\
        EDmNHQSNedw/26RU3x3JjUUC21NxP7a9K12ltv+n5BYhkpMeZsPj6qdYSFwmmpdZq2pb1rd0gLqEDsHzEn95U4NbyxeNKRFD\
        OfxaUcZnNwUquBm4SmtVWs84AEui164Z4yPEPYlOKXE9p4QhX1YREXnoH94b1AWkwrRI1as+nAIw/Lhh6BCDiOwlRv3moDYq\
        TieG3T0FL28WtMNk2ilnmHOuwgWctZ450yEFjr+7BjJumUITXZoLS1i4ic4pJLKhinLiHa8Vo56B4O68K/5y+u6zw8Qonwxx\
        EhVV9+rLu4Nfcpf1ISFVlcUbbW/ACJvVZWwYFr0NFL/GwHdmOZOS+f5DvdQgH3l4RDitlyWKf5cwU0CRBLEB0VcACVWi/ZBr\
        P5vAHO6lGBkD8ed/jUZfHA6wuKi3K3B25dNmsh7BwLz43qmm7qPygIFh9gBX18I0JQIDAQAB
        """
    static let rsa8192PKCS1OverText = """
        ZZUOkV+QbBkRRu+ToPvbucPWONs2yNOtymbwX92m8U5zj/F4hQHasFILl92jMTUUHfI4h5CbUb3Req91RK7tOBPxiNYSf0DA\
        YzFjhIMoMjTcpTxCbJamxKQ44XRtIF8r+PouTTOxcVeSdskovdhhUPUYhAcUw4LOGBhKm7DU1kuwf95Lh+opnQaZsV4eA56i\
        TLfLI+W2qtcmSBEzLlqknn7S5VqNZMubz62V1tPrAAPvxakDzP9T76t/fp5dgalleG6IdcNIzEkAkIHlPaAZ/Mf1k/5kta1W\
        ISSTTQUbfnTyCLzhYJ8iNyjscqSd4X5JET6XNiVFuEsPgMvP0l6dGyCSrmYwSuUQdkjItQFruPL5d2DBRuJgdQUGNPY6LQLy\
        AkwXzzCpNsofCdhHJVicM/MPw9c5WqbmCR5qGN1ZGjYhqD9wEg8CCjyeK6lCi7vm20Bi2UhQMPLWwAZ8gk1cr6Ttd4Cj5e9H\
        fF4bfhu3u+viRXEE0ubM46Ke9YO4lAvi7Q2SjOw4jhNfyLGVy263P0dK2G+pG7Mz6wedK7+BFMSpkdOCeoXPQMon3VE977UB\
        dUwcd4FTe230EzV8LbkgksZKgfbNOEzjEyH+PI0GwZvauYFxzk3SdXsDQXyCb0FtVUXeYRMmoHvufGZz2pnAfKKbp7Y1adnr\
        ljQRsW7uWjqscthDfUxpUkrUKBZiBWRoEkt8XeB/mmd5ewtIGQuvckK0CsX/7dheYtaK/JEPZIpNE1Ag0wQAFJST4fA2qbqW\
        1Op6e14MGQR7x1r2cRKhcMvODWQA8lZSFdCy3F9xXWa5kN0oqaGYLtSc3F1S7vkeQjbT1WfO1Mh3trCPmfLOgwsutUU5WUBy\
        o0XReN2p2hjwDCyzdQBZaCGbJr64UBl2CtxCOXw5zrcoKPKj96mdkS/5dh/vuO1rUj6wv7zvdbWabdiuoyUGrBN9oTjZptVg\
        H3vKUgKsx7vKfRBkqHRMn8vIc73d/KprOM2kqe0ORpotujZKMcuKLaHvFVPeVqF60DPyUdO0vo83z8JNCy+r5q6O5S68LWCr\
        B2H/S05zMxFgw2AOrGYkm3tHW9vhdqhm2Rdm18zTfhN8kZzhOv9yOsExJB4HlsRXWSN3zNtV8wf9cUfpwosr6EKfDU3RjU/A\
        0U6fF8QsTVOAI8lX2AiCe+x55P+o0md1tZVZsjDFnAqFO/iNkGw47Df8IdCtBRlsnc0dvXG99ZT9+Q+FZoBX4oGRIvsFyebg\
        t/vht/B9XmLa8NOgTFO4Spb7GwxrhINXTDXK29LOzFOL/Ncyo5lZbOUy8xWPt+uELIElZ+ZI65o45HPEfO04y3XMkrL+Rsxi\
        kWQTvHz/24q7DLFVmhYBYg==
        """
}
